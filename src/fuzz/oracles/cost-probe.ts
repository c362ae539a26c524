import type { Operation } from '../../model/index.js';
import { isObject } from '../../model/index.js';
import type { CallStep, Case, Value } from '../case.js';
import type { Dice } from '../dice.js';
import type { Court } from '../oracle.js';

// Valid requests that are large in one place. The oracle of cost looks at those that take their time.

const spelled = (court: Court, operation: Operation, params: unknown): Value | undefined =>
  court.dialect.operations[operation]?.params.encode(params as never) as Value | undefined;

type Members = Readonly<Record<string, Value>>;
const membersOf = (value: Value | undefined): Members | undefined => (isObject(value) ? (value as Members) : undefined);

/** A message in the spelling of the dialect, with one change. */
function message(court: Court, dice: Dice, change: (message: Members) => Members): CallStep | undefined {
  const words = {
    messageId: `tck-cost-${dice.below(2 ** 30)}`,
    role: 'user',
    parts: [{ kind: 'text', text: 'Hello!' }],
  };
  const params = membersOf(spelled(court, 'send', { message: words }));
  const inner = membersOf(params?.['message']);
  if (params === undefined || inner === undefined) return undefined;
  return { step: 'call', operation: 'send', params: { ...params, message: change(inner) } };
}

const firstPart = ({ parts }: Members): Value | undefined => (Array.isArray(parts) ? (parts[0] as Value) : undefined);

function parts(court: Court, dice: Dice): CallStep | undefined {
  const count = 512 << dice.below(5);
  return message(court, dice, (inner) => ({ ...inner, parts: { $list: [firstPart(inner) ?? null, count] } }));
}

function text(court: Court, dice: Dice): CallStep | undefined {
  const count = 4096 << dice.below(5);
  return message(court, dice, (inner) => {
    const part = membersOf(firstPart(inner));
    return { ...inner, parts: [{ ...part, text: { $text: ['word ', count] } }] };
  });
}

function metadata(court: Court, dice: Dice): CallStep | undefined {
  const count = 256 << dice.below(5);
  const members = Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]));
  return message(court, dice, (inner) => ({ ...inner, metadata: members }));
}

/** JSON of no more levels than parsers read. */
function depth(court: Court, dice: Dice): CallStep | undefined {
  const count = 32 << dice.below(4);
  return message(court, dice, (inner) => ({ ...inner, metadata: { nested: { $nest: ['[', count] } } }));
}

function references(court: Court, dice: Dice): CallStep | undefined {
  const count = 256 << dice.below(5);
  return message(court, dice, (inner) => ({ ...inner, referenceTaskIds: { $list: ['no-such-task', count] } }));
}

function longId(court: Court, dice: Dice): CallStep | undefined {
  const params = membersOf(spelled(court, 'get', { id: 'tck-cost' }));
  if (params === undefined) return undefined;
  const [name] = Object.entries(params).find(([, value]) => value === 'tck-cost') ?? [];
  const id = { $text: ['x', 4096 << dice.below(5)] };
  return name === undefined ? undefined : { step: 'call', operation: 'get', params: { ...params, [name]: id } };
}

const reading = [longId];
const writing = [parts, text, metadata, depth, references, longId];

/** One such request; undefined where the dialect cannot spell it. `readOnly`: nothing that creates work. */
export function costProbe(dice: Dice, court: Court, readOnly = false): Case | undefined {
  const step = dice.pick(readOnly ? reading : writing)(court, dice);
  return step && { dialect: court.dialect.id, steps: [step] };
}
