import type { Dialect } from '../../dialect/index.js';
import { type Behaviours, type Goal, neutralPrompt, promptFor, type Speaker } from '../../kit/index.js';
import { isObject, isString, type Message, type Operation, type Operations } from '../../model/index.js';
import type { CallStep, Case, Value } from '../case/case.js';
import type { RandomSource } from './random-source.js';

// Requests of scripts are written in canonical terms and spelled by the dialect: one script serves all dialects.

/** What scripts are made of: what the agent offers, and what it may be asked for. */
export interface ScriptTools {
  readonly dialect: Dialect;
  /** Operations that the dialect has, the agent claims, and the campaign allows. */
  readonly operations: readonly Operation[];
  readonly behaviours: Behaviours;
  readonly outputModes: readonly string[];
  /** Where notifications may go: below this URL. */
  readonly webhook: string;
  readonly hasSecond: boolean;
}

/** A script about payments; `message`: what the agent charges for. It needs the operation `send`. */
export type PaymentScript = (randomSource: RandomSource, tools: ScriptTools & { readonly message: string }) => Case;

let payments: PaymentScript | undefined;

/** Sets the scripts about payments: their pack brings them. */
export function bringScript(script: PaymentScript): void {
  payments = script;
}

/** The scripts about payments; undefined: no pack brought any. */
export const paymentScript = (): PaymentScript | undefined => payments;

const mark = '\u0001ref:';
/** Stands in canonical params for what an earlier step began: `a.task`, `a.context`, `a.config`, `a.token`. */
export const reference = (name: string): string => `${mark}${name}`;

/** The beginning of ids that no agent issued, by which oracles know them. */
export const unknownPrefix = 'f0000000-dead-4000-8000-';
export const isUnknownId = (id: string): boolean => id.startsWith(unknownPrefix);

function withReferences(value: unknown): Value {
  if (isString(value)) return value.startsWith(mark) ? { $ref: value.slice(mark.length) } : value;
  if (Array.isArray(value)) return value.map(withReferences);
  if (!isObject(value)) return value as Value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, withReferences(member)]])),
  );
}

/** A call with canonical params, spelled by the dialect. */
export function callOf<Op extends Operation>(
  { dialect }: Pick<ScriptTools, 'dialect'>,
  operation: Op,
  params: Operations[Op]['params'],
  more: Omit<CallStep, 'step' | 'operation' | 'params'> = {},
): CallStep {
  const spelled = dialect.operations[operation]?.params.encode(params as never);
  return {
    step: 'call',
    operation,
    ...(spelled === undefined ? {} : { params: withReferences(spelled) }),
    ...more,
  };
}

const hex = (randomSource: RandomSource, digits: number): string => {
  let text = '';
  while (text.length < digits) text += randomSource.below(16).toString(16);
  return text;
};
export const uuidOf = (randomSource: RandomSource): string =>
  `${hex(randomSource, 8)}-${hex(randomSource, 4)}-4${hex(randomSource, 3)}-8${hex(randomSource, 3)}-${hex(randomSource, 12)}`;
export const unknownId = (randomSource: RandomSource): string => `${unknownPrefix}${hex(randomSource, 12)}`;

const speaker = (randomSource: RandomSource, behaviours: Behaviours): Speaker => ({
  behaviours,
  uuid: () => uuidOf(randomSource),
  say: (text = neutralPrompt): Message => ({
    messageId: uuidOf(randomSource),
    role: 'user',
    parts: [{ kind: 'text', text }],
  }),
});

/** A message that is most likely to bring an agent to a goal. */
export const promptOf = (randomSource: RandomSource, goal: Goal, { behaviours }: ScriptTools): Message =>
  promptFor(speaker(randomSource, behaviours), goal);

const answers = ['Blue, please.', 'Go on.', 'Yes.', 'The second one, and make it short.', 'Never mind, just finish.'];

/** A further message to a task. */
export const answerTo = (randomSource: RandomSource, task: string): Message => ({
  messageId: uuidOf(randomSource),
  role: 'user',
  parts: [{ kind: 'text', text: randomSource.pick(answers) }],
  taskId: task,
});

/** Answered as soon as there is a task, with the output modes named (0.2 requires them, some servers do). */
export function quickly({ outputModes }: ScriptTools): { blocking: boolean; acceptedOutputModes: readonly string[] } {
  return { blocking: false, acceptedOutputModes: outputModes.length > 0 ? outputModes : ['text/plain'] };
}

/** How a task is begun, and what is known of it then. */
export interface Beginning {
  readonly goal: Goal;
  /** The task settles by itself. */
  readonly settles: boolean;
  /** Where it leads; `none`: to a message without a task. */
  readonly leads: 'waiting' | 'over' | 'working' | 'none';
}

export const beginnings: readonly Beginning[] = [
  { goal: 'input-required', settles: true, leads: 'waiting' },
  { goal: 'input-required', settles: true, leads: 'waiting' },
  { goal: 'working', settles: false, leads: 'working' },
  { goal: 'working', settles: false, leads: 'working' },
  { goal: 'completed', settles: true, leads: 'over' },
  { goal: 'completed', settles: true, leads: 'over' },
  { goal: 'long-running', settles: true, leads: 'over' },
  { goal: 'auth-required', settles: true, leads: 'waiting' },
  { goal: 'failed', settles: true, leads: 'over' },
  { goal: 'rejected', settles: true, leads: 'over' },
  { goal: 'streamed-chunks', settles: true, leads: 'over' },
  { goal: 'artifact-text', settles: true, leads: 'over' },
  { goal: 'artifact-data', settles: true, leads: 'over' },
  { goal: 'artifact-file', settles: true, leads: 'over' },
  { goal: 'artifact-file-uri', settles: true, leads: 'over' },
  { goal: 'message', settles: true, leads: 'none' },
];
