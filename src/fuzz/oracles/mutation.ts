import type { Operation } from '../../model/index.js';
import type { CallStep, Case, Step } from '../case/case.js';
import type { Sent, Trace } from '../execute/trace.js';
import type { BrokenLayer } from '../mutate/wire-mutation.js';
import { kindOf } from '../mutate/wire-mutations.js';
import type { OracleContext } from './oracle.js';
import { remembered } from './symptom.js';

// What was changed in a valid request, in the same words for the same change; and requests with fewer changes.

/** Ordinary names of members; other names are as good as random. */
const known = /^[A-Za-z$_][\w$.-]{0,39}$/;

/** `/params/message/parts/3/kind` is `/params/message/parts/N/kind` for all parts. */
export function placeOf(pointer: string, isAdditional = false): string {
  const names = pointer.split('/').slice(1);
  return names
    .map((name, at) => {
      if (/^(\d+|-)$/.test(name)) return '/N';
      return known.test(name) && !(isAdditional && at === names.length - 1) ? `/${name}` : '/?';
    })
    .join('');
}

/** Each change on its own: `type /params/message/parts`, `wire mutation nul`. */
export const mutationsOf = ({ edits = [], tricks = [] }: CallStep): readonly string[] => [
  ...tricks.map(({ trick }) => `trick ${trick}`),
  ...edits.map(({ at, keyword }) => `${keyword} ${placeOf(at, keyword === 'additional') || '/'}`),
];

/** All changes in one word; `valid` where there is none. */
export function mutationName(step: CallStep): string {
  const names = [...new Set(mutationsOf(step))].sort();
  if (names.length === 0) return 'valid';
  return names.length > 2 ? 'several' : names.join(' + ');
}

/** What of a request of gRPC is broken, so that a library may answer as it likes; undefined: nothing. */
export const brokenLayer = ({ tricks = [] }: CallStep): BrokenLayer | undefined =>
  tricks.map((trick) => kindOf(trick)?.breaks).find((layer) => layer !== undefined && layer !== 'message') ??
  tricks.map((trick) => kindOf(trick)?.breaks).find((layer) => layer !== undefined);

/** The step with one of its changes only, counted as in `mutationsOf`. */
export function withOnly(step: CallStep, at: number): CallStep {
  const { edits = [], tricks = [], ...rest } = step;
  const trick = tricks[at];
  if (trick !== undefined) return { ...rest, tricks: [trick] };
  const edit = edits[at - tricks.length];
  return edit === undefined ? rest : { ...rest, edits: [edit] };
}

export function unchangedStep(step: CallStep): CallStep {
  const { edits: _, tricks: __, ...rest } = step;
  return rest;
}

/**
 * The case up to a request, with another request in its place. The requests that were sent together with it, or its
 * wait step, go before it.
 */
export function caseUpTo({ case: whole }: Trace, { place: [at, among] }: Sent, last: CallStep): Case {
  const before = whole.steps.slice(0, at);
  const step = whole.steps[at];
  const beside: readonly Step[] =
    step?.step === 'together' ? step.calls.filter((_, index) => index !== among) : step?.step === 'wait' ? [step] : [];
  return { dialect: whole.dialect, steps: [...before, ...beside, last] };
}

/** The whole case, with one request as it was before it was changed. */
export function caseUnchanged({ dialect, steps }: Case, { place: [at, among], step }: Sent): Case {
  const plain = unchangedStep(step);
  const restored = (step: Step): Step =>
    step.step === 'together' ? { ...step, calls: step.calls.with(among ?? 0, plain) } : plain;
  return { dialect, steps: steps.map((step, index) => (index === at ? restored(step) : step)) };
}

/** The outcome of the last step of a case; undefined where the kit did not send it. */
export const lastOf = ({ case: { steps }, sent }: Trace): Sent | undefined => {
  const last = sent.at(-1);
  return last?.place[0] === steps.length - 1 ? last : undefined;
};

/** With more changes the search would cost too much of the campaign. */
const mostChanges = 16;

/** Results of earlier searches, so that a change that shows again costs nothing; at most so many are kept. */
const culprits = remembered(() => new Map<string, string>());
const mostCulprits = 256;

/**
 * The one change that shows the symptom without the others, so that a bucket has one name however much else was
 * changed. Each change is tried in a run of its own. `topic`: what is shown.
 */
export async function culprit(
  trace: Trace,
  sent: Sent,
  oracleContext: OracleContext,
  topic: string,
  shows: (other: Sent) => boolean,
): Promise<string> {
  const names = mutationsOf(sent.step);
  const all = mutationName(sent.step);
  if (names.length < 1 || names.length > mostChanges) return all;
  const known = culprits(oracleContext);
  const key = `${topic} ${sent.step.operation} ${names.join(' ')}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= mostCulprits) return all;
  const name = await isolated(trace, sent, oracleContext, names, shows);
  // `valid` is not kept for a single change: with the next request the change may be to blame.
  if (name !== 'valid' || names.length > 1) known.set(key, name ?? all);
  return name ?? all;
}

async function isolated(
  trace: Trace,
  sent: Sent,
  oracleContext: OracleContext,
  names: readonly string[],
  shows: (other: Sent) => boolean,
): Promise<string | undefined> {
  if (await shownBy(trace, sent, oracleContext, unchangedStep(sent.step), shows)) return 'valid';
  // With one change there is nothing to choose.
  if (names.length === 1) return names[0];
  for (const [at, name] of names.entries()) {
    if (await shownBy(trace, sent, oracleContext, withOnly(sent.step, at), shows)) return name;
  }
  return undefined;
}

async function shownBy(
  trace: Trace,
  sent: Sent,
  oracleContext: OracleContext,
  step: CallStep,
  shows: (other: Sent) => boolean,
): Promise<boolean> {
  const other = lastOf(await oracleContext.perform(caseUpTo(trace, sent, step)));
  return other !== undefined && shows(other);
}

/** Operations on which an agent may work for some time before it answers. */
export const worksOn: ReadonlySet<Operation> = new Set(['send', 'stream', 'subscribe']);
