import type { Dialect } from '../../dialect/index.js';
import type { Value } from '../case/case.js';
import { escapeStep } from '../case/values.js';

/** Pointers of objects in a request, those of its params down to the parts of a message. */
export function objectsIn(params: Value | undefined): readonly string[] {
  const found = ['', '/params'];
  const look = (value: Value, at: string, depth: number): void => {
    if (value === null || typeof value !== 'object' || depth > 4) return;
    for (const [name, member] of Object.entries(value) as [string, Value][]) {
      // A placeholder is not a member of the request.
      if (name.startsWith('$')) continue;
      const below = `${at}/${escapeStep(name)}`;
      if (member !== null && typeof member === 'object' && !Array.isArray(member)) {
        if (!Object.keys(member).some((key) => key.startsWith('$'))) found.push(below);
      }
      look(member, below, depth + 1);
    }
  };
  if (params === undefined) return [''];
  look(params, '/params', 0);
  return found;
}

/** The same of those that go out: without an envelope there is nothing around the params. */
export const objectsFor = ({ binding }: Dialect, params: Value | undefined): readonly string[] => {
  const all = objectsIn(params);
  return binding.requests === 'envelopes' ? all : [...new Set(['/params', ...all.filter((at) => at !== '')])];
};
