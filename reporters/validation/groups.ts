import type { DocumentFault, Validation } from '../../src/report/index.js';

/** The same fault at several places: of skills, of interfaces. */
export interface FaultGroup {
  readonly first: DocumentFault;
  readonly places: readonly DocumentFault[];
}

/** Faults that differ only in their place and the value there, in the order of the first one. */
export function groupsOf({ faults }: Validation): readonly FaultGroup[] {
  const groups = new Map<string, DocumentFault[]>();
  for (const fault of faults) {
    const { level, check, requirement, problem, fix } = fault;
    const key = JSON.stringify([level, check, requirement, problem, fix, nameAt(fault.pointer)]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [fault]);
    else known.push(fault);
  }
  return [...groups.values()].flatMap((places) => {
    const [first] = places;
    return first === undefined ? [] : [{ first, places }];
  });
}

/** The name at the end of a pointer; items of a list are alike. */
const nameAt = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/') + 1).replace(/^\d+$/, '#');

/** "/skills/0/tags is missing", "/url must be …: "x"". Contains text of the document. */
export function factOf({ pointer, problem, seen }: DocumentFault): string {
  const value = seen === undefined ? '' : `: ${seen}`;
  return `${pointer === '' ? 'the document' : pointer} ${problem}${value}`;
}

/** "2 MUST and 1 SHOULD faults", or "no fault". */
export function countText({ must, should }: Validation['summary']): string {
  const parts = [must > 0 ? `${must} MUST` : '', should > 0 ? `${should} SHOULD` : ''].filter((text) => text !== '');
  return parts.length === 0 ? 'no fault' : `${parts.join(' and ')} ${must + should === 1 ? 'fault' : 'faults'}`;
}
