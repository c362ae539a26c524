import type { Inspector } from '../../kit/index.js';
import { member } from '../../model/index.js';
import type { CallStep, Value } from '../case/case.js';
import { applyEdits } from '../case/pointer.js';
import { specialOf } from '../case/values.js';
import type { StepJudge } from './shrink.js';

/** How much of a repetition is looked at: no schema bounds a longer text or list. */
const mostText = 20_000;
const mostItems = 100;

/** A JSON value like the one that is sent, with repetitions cut and references made up. */
function sample(value: Value): unknown {
  if (Array.isArray(value)) return value.map(sample);
  if (typeof value !== 'object' || value === null) return value;
  const special = specialOf(value);
  switch (special?.is) {
    case 'ref':
      return 'reference';
    case 'raw':
      return parsed(special.json);
    case 'text':
      return special.unit.repeat(Math.min(special.times, Math.ceil(mostText / Math.max(1, special.unit.length))));
    case 'list':
      return Array.from({ length: Math.min(special.times, mostItems) }, () => sample(special.item));
    case 'nest':
      return special.opening === '[' ? [] : {};
    default:
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sample(member)]));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether the params of a step, after its edits, fit the schema of the operation. */
export function createStepJudge(inspector: Inspector): StepJudge {
  return ({ operation, params, edits = [] }: CallStep) => {
    const ref = `rpc.schema.json#/$defs/${operation}.params`;
    if (!inspector.has(ref)) return true;
    const { value } = applyEdits(params === undefined ? {} : { params }, edits);
    const request = sample(value);
    return inspector.inspect(ref, member(request, 'params')).findings.length === 0;
  };
}
