import {
  describe,
  type ErrorName,
  fresh,
  inconclusive,
  interfacesOf,
  type Judgement,
  type Outcome,
  type Pair,
  type Refusal,
  type Side,
} from '../../src/kit/index.js';

// Shared by the checks of this chapter: how two interfaces are asked, and how their answers are compared. No rules.

/** The judged interface, and the others of its version and tenant. */
export const interfaces = fresh('another interface of the same version', interfacesOf);

/** The judgement that was read from the answers. */
export const asJudged = (judgement: Judgement): Judgement => judgement;

/** Reads of one thing over X, Y and X again. An agent that changes it meanwhile is read anew. */
const times = 3;

/** Unproven: an interface did not answer with what is compared. Its own checks judge why. */
export const unseenOver = ({ title }: Side, outcome: Outcome<unknown>): Judgement =>
  inconclusive(`over ${title}: ${describe(outcome)}`);

/** Both sides in turn, the judged one first. */
export const onBoth = async <T>({ own, peer }: Pair, ask: (side: Side) => Promise<T>): Promise<readonly [T, T]> => [
  await ask(own),
  await ask(peer),
];

/**
 * Compares what both sides show. `differs` gives the reason, if it does. A difference counts only where the judged
 * interface shows the same again.
 */
export async function readAlike<T>(
  pair: Pair,
  read: (side: Side) => Promise<Outcome<T>>,
  differs: (own: T, there: T) => string | undefined,
): Promise<Judgement> {
  for (let time = 0; time < times; time++) {
    const [own, there] = await onBoth(pair, read);
    if (own.kind !== 'result') return unseenOver(pair.own, own);
    if (there.kind !== 'result') return unseenOver(pair.peer, there);
    const reason = differs(own.value, there.value);
    if (reason === undefined) return undefined;
    const again = await read(pair.own);
    if (again.kind === 'result' && differs(own.value, again.value) === undefined) return reason;
  }
  return inconclusive(`${pair.own.title} shows another value at each read`);
}

const isAnswered = (outcome: Outcome<unknown>): outcome is Extract<Outcome<unknown>, { kind: 'result' | 'refusal' }> =>
  outcome.kind === 'result' || (outcome.kind === 'refusal' && outcome.wants === undefined);

/** What is asked over both sides, and what each answered. */
export interface Asked {
  /** "a cancel of the finished task". */
  readonly about: string;
  readonly own: Outcome<unknown>;
  readonly there: Outcome<unknown>;
}

/** The connection was reset: neither carried out nor refused. */
const isReset = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'invalid-response' && outcome.exchange.failure?.kind === 'reset';

/** Carried out by both or refused by both. The reason names the side that does what it must not, if `due` says so. */
export function sameFate(pair: Pair, { about, own, there }: Asked, due?: 'refused'): Judgement {
  const both = [own, there];
  const isLost = both.some(isReset) && both.some((outcome) => outcome.kind === 'refusal' && isAnswered(outcome));
  if (due === 'refused' && isLost)
    return `${about} gets ${describe(own)} over ${pair.own.title}, and over ${pair.peer.title} ${describe(there)}`;
  if (!isAnswered(own)) return unseenOver(pair.own, own);
  if (!isAnswered(there)) return unseenOver(pair.peer, there);
  if (own.kind === there.kind) return undefined;
  const [doing, refusing] = own.kind === 'result' ? [pair.own, pair.peer] : [pair.peer, pair.own];
  const refusal = own.kind === 'result' ? there : own;
  const wrong = due === undefined ? '' : `; ${doing.title} must refuse it too`;
  return `${about} is carried out over ${doing.title}, and over ${refusing.title} it gets ${describe(refusal)}${wrong}`;
}

/** Whether the version has a reason for the error that is the same in every binding. */
const isNamed = ({ client }: Side, name: ErrorName): boolean => client.dialect.errors[name]?.http?.reason !== undefined;

const mayBe = ({ error, fits }: Refusal, name: ErrorName): boolean =>
  error === undefined ? fits?.includes(name) === true : error === name;

/** Refused by both, with the same error of A2A where the version gives it a name. `due`: the error that is right. */
export function sameError(pair: Pair, asked: Asked, due: ErrorName): Judgement {
  const { about, own, there } = asked;
  const fate = sameFate(pair, asked, 'refused');
  if (fate !== undefined || own.kind !== 'refusal' || there.kind !== 'refusal') return fate;
  const name = own.error ?? there.error;
  if (name === undefined || !isNamed(pair.own, due)) return undefined;
  if (mayBe(own, name) && mayBe(there, name)) return undefined;
  const wrong = mayBe(own, due) ? pair.peer : mayBe(there, due) ? pair.own : undefined;
  const blame = wrong === undefined ? '' : `; ${due} is right, so ${wrong.title} is wrong`;
  const said = (side: Side, outcome: Outcome<unknown>): string => `over ${side.title} ${describe(outcome)}`;
  return `${about} gets ${said(pair.own, own)}, and ${said(pair.peer, there)}${blame}`;
}
