import {
  anyTask,
  brief,
  describe,
  type Exchange,
  header,
  type Judgement,
  type Outcome,
  type Scene,
  Unreached,
  unproven,
  type XprCaller,
  xpr,
  xprText,
} from '../../src/kit/index.js';

// What the checks of defective requests share: each is sent, until one is let in.

export type Headers = readonly (readonly [name: string, value: string])[];

/** A request for which nobody may be taken for its caller. */
export interface Defect {
  /** Reads after "with": "an empty X-XPR-Timestamp". */
  readonly about: string;
  /** Of any body, so that the same defect can ask something else. */
  headers(body: Uint8Array): Headers;
  /** Default: being let in is wrong, being refused as not authenticated right. */
  readonly judge?: (outcome: Outcome<unknown>) => Judgement;
  /** It says what time it is: under the agent's limit it is not sent again later. */
  readonly impatient?: boolean;
}

/** What came of the defects: the first that was let in, else the first that is unclear. */
export interface Trial {
  readonly judgement: Judgement;
  readonly exhibit: Exchange | undefined;
}

type Names = keyof typeof xprText.headerNames;

/** Values of the three headers, in place of the right one: none, one or several. */
export interface Sent {
  readonly account?: readonly string[];
  readonly timestamp?: readonly string[];
  /** Made of the right one. */
  readonly signature?: (right: string) => readonly string[];
}

/** A request whose headers are not those that are due; `claim` is what is signed, where it is not what is due. */
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

/** The same request several times, each signed over another text in the place of one header. */
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

/** The account of the user where there is one; else a made-up one, which nobody may let in at all. */
export const someCaller = (scene: Scene): XprCaller => xpr.xprOf(scene).first ?? xpr.xprOf(scene).stranger();

/** For `butAccepts`: what is refused to everybody shows nothing. */
export const rightlySigned = async (scene: Scene): Promise<Outcome<unknown>> =>
  xpr.admission(await scene.use(xpr.control));

/** Sends one after the other, each with a body of its own. Stops at the first that is let in: it may count. */
export async function tried(scene: Scene, agent: xpr.Stance, defects: readonly Defect[]): Promise<Trial> {
  let unclear: Trial | undefined;
  for (const defect of defects) {
    const { judgement, exhibit } = await triedOnce(scene, agent, defect);
    const said = `with ${defect.about}: `;
    if (typeof judgement === 'string') return { judgement: said + judgement, exhibit };
    if (judgement !== undefined) unclear ??= { judgement: unproven(said + judgement.reason), exhibit };
  }
  return unclear ?? { judgement: undefined, exhibit: undefined };
}

async function triedOnce(scene: Scene, agent: xpr.Stance, defect: Defect): Promise<Trial> {
  const { impatient = false, judge = xpr.turnedAway } = defect;
  const body = xpr.probeBody(scene);
  const outcome = await xpr.post(scene, { body, headers: defect.headers(body) }, { impatient });
  const judgement = judge(outcome);
  if (xpr.isAdmitted(outcome)) {
    await counted(scene);
    if (agent.unsigned === 'admitted' && typeof judgement === 'string') return asCaller(scene, defect);
  }
  return { judgement, exhibit: exchangeOf(outcome) };
}

const exchangeOf = (outcome: Outcome<unknown>): Exchange | undefined =>
  outcome.kind === 'withheld' ? undefined : outcome.exchange;

/** What was let in may have used up one of the caller's requests. */
async function counted(scene: Scene): Promise<void> {
  const { first, as } = xpr.xprOf(scene);
  if (first !== undefined) await as(first, { paced: false }).signer?.turn();
}

/**
 * An agent that takes unsigned requests may take what is not well signed for one of them. That is no caller, unless it
 * is shown what only the account may see.
 */
async function asCaller(scene: Scene, defect: Defect): Promise<Trial> {
  const unclear = (why: string, exhibit?: Exchange): Trial => ({
    judgement: unproven(`it was let in by an agent that takes unsigned requests, perhaps as nobody: ${why}`),
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
    // Denied, or no such task: whoever asked was not the account.
    if (outcome.kind !== 'result') {
      return { judgement: xpr.isAdmitted(outcome) ? undefined : xpr.turnedAway(outcome), exhibit };
    }
    const unsigned = await xpr.post(scene, { body: xpr.probeBody(scene, id), headers: [] });
    if (unsigned.kind === 'result') return unclear('everybody can read its tasks', exchangeOf(unsigned));
    return { judgement: `the caller was taken for the account: ${describe(outcome)}`, exhibit };
  } catch (error) {
    if (error instanceof Unreached) return unclear(error.message, error.exchange);
    throw error;
  }
}

/** Beyond this the time that the kit signs for may be on the wrong side of an edge, seconds. */
const mostSkew = 20;

/** Whether the agent itself says what time it is, and the kit signs for that time. */
export function knowsTime(scene: Scene, outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'withheld') return false;
  const { response, startedAt, durationMs } = outcome.exchange;
  const told = response && header(response.headers, 'date');
  const ahead = told === undefined ? Number.NaN : (Date.parse(told) - startedAt - durationMs) / 1000;
  return Math.abs(ahead - (xpr.xprOf(scene).seconds() - scene.clock.now() / 1000)) <= mostSkew;
}
