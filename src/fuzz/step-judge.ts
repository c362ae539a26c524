import type { Inspector } from '../kit/index.js';
import type { CallStep, Edit, Value } from './case.js';
import type { StepJudge } from './shrink.js';

/** Of repetitions so much is looked at: schemas bound no text and no list beyond that. */
const mostText = 20_000;
const mostItems = 100;

/** A JSON value like the one that goes out, its repetitions cut and its references made up. */
function sample(value: Value): unknown {
  if (Array.isArray(value)) return value.map(sample);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [name, made] = entries.length === 1 ? (entries[0] ?? []) : [];
  if (name === '$ref') return 'reference';
  if (name === '$raw') return parsed(String(made));
  if (Array.isArray(made) && typeof made[1] === 'number') {
    const [unit, times] = made as [Value, number];
    if (name === '$text')
      return String(unit).repeat(Math.min(times, Math.ceil(mostText / Math.max(1, String(unit).length))));
    if (name === '$list') return Array.from({ length: Math.min(times, mostItems) }, () => sample(unit));
    if (name === '$nest') return unit === '[' ? [] : {};
  }
  return Object.fromEntries(entries.map(([key, one]) => [key, sample(one)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** The value with one change at the end of a path; unchanged where the path leads nowhere. */
function edited(value: unknown, path: readonly string[], edit: Edit): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return edit.op === 'remove' || edit.value === undefined ? undefined : sample(edit.value);
  if (Array.isArray(value)) {
    const at = name === '-' ? value.length : Number(name);
    if (!(at >= 0 && at <= value.length)) return value;
    if (rest.length === 0 && edit.op === 'remove') return value.filter((_, other) => other !== at);
    const list = [...value];
    list[at] = edited(list[at], rest, edit);
    return list;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([other]) => other !== name);
  if (rest.length === 0 && edit.op === 'remove') return Object.fromEntries(entries);
  const inner = edited(Object.getOwnPropertyDescriptor(value, name)?.value, rest, edit);
  return Object.fromEntries([...entries, [name, inner]]);
}

/** Tells by the schema of the operation whether the params of a step fit, its edits made. */
export function createStepJudge(inspector: Inspector): StepJudge {
  return ({ operation, params, edits = [] }: CallStep) => {
    const ref = `rpc.schema.json#/$defs/${operation}.params`;
    if (!inspector.has(ref)) return true;
    let request: unknown = params === undefined ? {} : { params: sample(params) };
    for (const edit of edits) request = edited(request, edit.at.split('/').slice(1).map(unescaped), edit);
    const holder = request as { readonly params?: unknown } | undefined;
    return inspector.inspect(ref, holder?.params).findings.length === 0;
  };
}
