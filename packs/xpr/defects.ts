import {
  admission,
  anyTask,
  brief,
  describe,
  type Exchange,
  header,
  inconclusive,
  isAdmitted,
  type Judgement,
  type Outcome,
  PreconditionUnmet,
  type Scene,
  turnedAway,
} from '../../src/kit/index.js';
import * as xpr from './shared/asking.js';
import type { XprCaller } from './shared/scene.js';
import * as xprText from './signing/index.js';

// Shared by checks of defective requests: the defects are sent until one is accepted.

export type Headers = readonly (readonly [name: string, value: string])[];

/** A defective request: the agent must not accept it as coming from its caller. */
export interface Defect {
  /** Description that follows "with": "an empty X-XPR-Timestamp". */
  readonly about: string;
  /** Makes the headers for any body, so that the same defect can be sent with another request. */
  headers(body: Uint8Array): Headers;
  /** By default an accepted request fails, and a refusal as not authenticated passes. */
  readonly judge?: (outcome: Outcome<unknown>) => Judgement;
  /** The request depends on its time: it is not repeated after a wait for the agent's limit. */
  readonly impatient?: boolean;
}

/** The result of the defects: the first that was accepted, else the first that is unproven. */
export interface Trial {
  readonly judgement: Judgement;
  readonly exhibit: Exchange | undefined;
}

type Names = keyof typeof xprText.headerNames;

/** Values that replace the correct ones in the three headers: none, one or several each. */
export interface Sent {
  readonly account?: readonly string[];
  readonly timestamp?: readonly string[];
  /** Made from the correct signature. */
  readonly signature?: (right: string) => readonly string[];
}

/** A request with wrong headers; `claim` has the values to sign where they are not the correct ones. */
export const defective = (
  scene: Scene,
  caller: XprCaller,
  about: string,
  sent: Sent,
  claim: Partial<Record<Exclude<Names, 'signature'>, string>> = {},
): Defect => ({
  about,
  headers(body) {
    const right = xpr.signed(scene, caller, { body, claim });
    const under = (name: Names, values: readonly string[]): Headers =>
      values.map((value) => [xprText.headerNames[name], value]);
    return [
      ...under('account', sent.account ?? [right.account]),
      ...under('timestamp', sent.timestamp ?? [right.timestamp]),
      ...under('signature', sent.signature?.(right.signature) ?? [right.signature]),
    ];
  },
});

/** The same request several times, each time signed over another text for one header. */
export const signedOver = (
  scene: Scene,
  caller: XprCaller,
  about: string,
  sent: Sent,
  name: Exclude<Names, 'signature'>,
  texts: readonly string[],
): readonly Defect[] =>
  [...new Set(texts)].map((text) =>
    defective(scene, caller, `${about}, signed over ${brief(text, 40)}`, sent, { [name]: text }),
  );

/** The user's account, if there is one; else a made-up account, which no agent may accept. */
export const someCaller = (scene: Scene): XprCaller => xpr.xprOf(scene).first ?? xpr.xprOf(scene).stranger();

/** For `butAccepts`: if every request is refused, a refusal shows nothing. */
export const rightlySigned = async (scene: Scene): Promise<Outcome<unknown>> => admission(await scene.use(xpr.control));

/**
 * Sends the defects one after the other, each with a new body. Stops at the first that is accepted, since it may count
 * against the limit.
 */
export async function tried(scene: Scene, agent: xpr.Stance, defects: readonly Defect[]): Promise<Trial> {
  let unclear: Trial | undefined;
  for (const defect of defects) {
    const { judgement, exhibit } = await triedOnce(scene, agent, defect);
    const said = `with ${defect.about}: `;
    if (typeof judgement === 'string') return { judgement: said + judgement, exhibit };
    if (judgement !== undefined) unclear ??= { judgement: inconclusive(said + judgement.reason), exhibit };
  }
  return unclear ?? { judgement: undefined, exhibit: undefined };
}

async function triedOnce(scene: Scene, agent: xpr.Stance, defect: Defect): Promise<Trial> {
  const { impatient = false, judge = turnedAway } = defect;
  const body = xpr.probeBody(scene);
  const outcome = await xpr.post(scene, { body, headers: defect.headers(body) }, { impatient });
  const judgement = judge(outcome);
  if (isAdmitted(outcome)) {
    await counted(scene);
    if (agent.unsigned === 'admitted' && typeof judgement === 'string') return asCaller(scene, defect);
  }
  return { judgement, exhibit: exchangeOf(outcome) };
}

const exchangeOf = (outcome: Outcome<unknown>): Exchange | undefined =>
  outcome.kind === 'not-sent' ? undefined : outcome.exchange;

/** Counts an accepted request against the caller's limit. */
async function counted(scene: Scene): Promise<void> {
  const { first, as } = xpr.xprOf(scene);
  if (first !== undefined) await as(first, { paced: false }).signer?.turn();
}

/**
 * An agent that accepts unsigned requests may treat a badly signed one as unsigned. It is a failure only if the answer
 * shows what only the account may see.
 */
async function asCaller(scene: Scene, defect: Defect): Promise<Trial> {
  const unclear = (why: string, exhibit?: Exchange): Trial => ({
    judgement: inconclusive(`the agent also accepts unsigned requests and may have ignored the signature: ${why}`),
    exhibit,
  });
  try {
    xpr.firstCaller(scene);
    const { id } = await scene.use(anyTask);
    const own = await scene.client.call('get', { id });
    if (own.kind !== 'result')
      return unclear(`its account cannot read its own task (${describe(own)})`, exchangeOf(own));
    const body = xpr.probeBody(scene, id);
    const outcome = await xpr.post(scene, { body, headers: defect.headers(body) });
    const exhibit = exchangeOf(outcome);
    // Denied, or no such task: the request was not treated as the account's.
    if (outcome.kind !== 'result') {
      return { judgement: isAdmitted(outcome) ? undefined : turnedAway(outcome), exhibit };
    }
    const unsigned = await xpr.post(scene, { body: xpr.probeBody(scene, id), headers: [] });
    if (unsigned.kind === 'result') return unclear('every caller can read its tasks', exchangeOf(unsigned));
    return { judgement: `the caller was taken for the account: ${describe(outcome)}`, exhibit };
  } catch (error) {
    if (error instanceof PreconditionUnmet) return unclear(error.message, error.exchange);
    throw error;
  }
}

/** Seconds. With more skew, the kit's time may fall on the wrong side of a limit. */
const mostSkew = 20;

/** The agent states its time in `Date`, and the kit signs for that time. */
export function knowsTime(scene: Scene, outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'not-sent') return false;
  const { response, startedAt, durationMs } = outcome.exchange;
  const date = response && header(response.headers, 'date');
  const ahead = date === undefined ? Number.NaN : (Date.parse(date) - startedAt - durationMs) / 1000;
  return Math.abs(ahead - (xpr.xprOf(scene).seconds() - scene.clock.now() / 1000)) <= mostSkew;
}
