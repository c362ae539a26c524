import { methodOf } from '../../../src/dialect/index.js';
import {
  accepted,
  type CallOptions,
  describe,
  Inconclusive,
  inconclusive,
  isAdmitted,
  type Judgement,
  NotApplicable,
  type Outcome,
  type PostOptions,
  PreconditionUnmet,
  type Scene,
  type Source,
  source,
  turnedAway,
} from '../../../src/kit/index.js';
import {
  type ChainControl,
  type ChainPermission,
  type Claim,
  headerNames,
  type Scheme,
  signatureFor,
} from '../signing/index.js';
import { type XprCaller, type XprScene, xprPart } from './scene.js';

// Shared by the checks of signed requests: the probe, the control, and the agent's stance. XPR document,
// Authentication.

const encoder = new TextEncoder();

/** The XPR part of a scene. Throws `NotApplicable` in other dialects. */
export function xprOf(scene: Scene): XprScene {
  const part = scene.part(xprPart);
  if (part === undefined) throw new NotApplicable('requests of this dialect are not signed');
  return part;
}

/** The account of the user. Throws `PreconditionUnmet` when none was given. */
export function firstCaller(scene: Scene): XprCaller {
  const { first } = xprOf(scene);
  if (first === undefined) {
    throw new PreconditionUnmet('give --xpr-account and A2A_TCK_XPR_KEY: the request needs an account and its key');
  }
  return first;
}
/** Another account of the user. Throws `PreconditionUnmet` when none was given. */
export function secondXprCaller(scene: Scene): XprCaller {
  const { second } = xprOf(scene);
  if (second === undefined) {
    throw new PreconditionUnmet(
      'give --xpr-second-account and A2A_TCK_XPR_SECOND_KEY: the request needs a second account and its key',
    );
  }
  return second;
}

/**
 * The cheapest request that needs a known caller: it reads a task, by default one that does not exist, under a fresh
 * request id. It starts no work.
 */
export function probeBody(scene: Scene, taskId: string = scene.uuid()): Uint8Array {
  const { dialect } = scene.client;
  const params = dialect.operations.get.params.encode({ id: taskId });
  const request = { jsonrpc: '2.0', id: scene.uuid(), method: methodOf(dialect, 'get'), params };
  return encoder.encode(JSON.stringify(request));
}

/** One signed request; a check sends it unchanged, or changes it first. */
export interface SignedRequest {
  readonly body: Uint8Array;
  readonly account: string;
  readonly timestamp: string;
  readonly signature: string;
}

export interface Signing {
  readonly body?: Uint8Array;
  /** Text of the header, which need not be a number. Default: the agent's own time. */
  readonly timestamp?: string | number;
  readonly scheme?: Scheme;
  /** Values that are signed in place of those that are sent. */
  readonly claim?: Partial<Claim>;
}

/** Signs a probe, or another body. Nothing is sent. */
export function signed(scene: Scene, { account, key }: XprCaller, signing: Signing = {}): SignedRequest {
  const xpr = xprOf(scene);
  const body = signing.body ?? probeBody(scene);
  const timestamp = String(signing.timestamp ?? xpr.seconds());
  const claim: Claim = { account, timestamp, body, ...signing.claim };
  return { body, account, timestamp, signature: signatureFor(signing.scheme ?? xpr.scheme, claim, key) };
}

export const headersOf = ({ account, timestamp, signature }: Omit<SignedRequest, 'body'>) =>
  [
    [headerNames.account, account],
    [headerNames.timestamp, timestamp],
    [headerNames.signature, signature],
  ] as const;

/**
 * Sends a request with these headers in place of all credentials. It only reads, so it is sent even where nothing may
 * be changed.
 */
export function post(
  scene: Scene,
  request: { readonly body: Uint8Array; readonly headers: readonly (readonly [string, string])[] },
  options: PostOptions = {},
): Promise<Outcome<unknown>> {
  return scene.client.post(request.body, {
    credentials: { headers: [], query: scene.client.own.query },
    invalid: true,
    harmless: true,
    // A signed request is sent once: an agent may remember it even if its rate limit refuses it.
    impatient: request.headers.length > 0,
    ...options,
    headers: [...request.headers, ...(options.headers ?? [])],
  });
}

/** Sends a signed request unchanged. */
export const send = (scene: Scene, request: SignedRequest, options: PostOptions = {}): Promise<Outcome<unknown>> =>
  post(scene, { body: request.body, headers: headersOf(request) }, options);

/** The probe, signed by a caller and paced. A fresh one each time. */
export function probeAs(scene: Scene, caller: XprCaller, options: CallOptions = {}): Promise<Outcome<unknown>> {
  return scene.client.call('get', { id: scene.uuid() }, { ...options, credentials: xprOf(scene).as(caller) });
}

/** Expects the agent to accept the caller. */
export function letIn(outcome: Outcome<unknown>): Judgement {
  if (isAdmitted(outcome)) return undefined;
  if (outcome.kind === 'not-sent') return inconclusive(`the kit could not send the request: ${outcome.reason}`);
  if (outcome.kind === 'busy')
    return inconclusive(`give --xpr-rate: the agent's rate limit answered (${outcome.message})`);
  return outcome.kind === 'invalid-response' ? accepted(outcome) : describe(outcome);
}

/**
 * A correctly signed probe that the agent accepted. Without it no refusal shows anything. Throws `PreconditionUnmet`
 * when the agent refuses it.
 */
export const control: Source<Outcome<unknown>> = source(
  'a correctly signed request that the agent accepts',
  async (scene) => {
    const caller = firstCaller(scene);
    const outcome = await probeAs(scene, caller);
    if (isAdmitted(outcome)) return outcome;
    const exchange = outcome.kind === 'not-sent' ? undefined : outcome.exchange;
    throw new PreconditionUnmet(`the agent refused a correctly signed request (${describe(outcome)})`, exchange);
  },
);

/** How the agent treats an unsigned request, and one that an unknown key has signed. */
export interface Stance {
  readonly unsigned: 'refused' | 'admitted' | 'unclear';
  readonly forged: 'refused' | 'admitted' | 'unclear';
  readonly unsignedOutcome: Outcome<unknown>;
  readonly forgedOutcome: Outcome<unknown>;
}
const stanceOf = (outcome: Outcome<unknown>): Stance['unsigned'] =>
  isAdmitted(outcome) ? 'admitted' : turnedAway(outcome) === undefined ? 'refused' : 'unclear';

export const stance: Source<Stance> = source(
  'an unsigned request, and one with the signature of an unknown key',
  async (scene) => {
    const unsignedOutcome = await post(scene, { body: probeBody(scene), headers: [] });
    const { account } = xprOf(scene).first ?? { account: undefined };
    const forgedOutcome = await send(scene, signed(scene, xprOf(scene).stranger(account)));
    return {
      unsigned: stanceOf(unsignedOutcome),
      forged: stanceOf(forgedOutcome),
      unsignedOutcome,
      forgedOutcome,
    };
  },
);

/**
 * An agent that verifies signatures. The document leaves open whether a request must be signed; an agent that takes
 * unsigned and forged requests alike knows no callers. Then throws `NotApplicable`; but if the user gave an account,
 * and so says that there are callers, `PreconditionUnmet`, because the probe cannot distinguish an anonymous caller
 * from a known one.
 */
export const verifies: Source<Stance> = source('an agent that verifies signatures', async (scene) => {
  const seen = await scene.use(stance);
  if (seen.unsigned !== 'admitted' || seen.forged !== 'admitted') return seen;
  const why = 'the agent takes unsigned and wrongly signed requests alike';
  if (xprOf(scene).first === undefined) throw new NotApplicable(`${why}: it does not distinguish callers`);
  throw new PreconditionUnmet(`${why}, so this request cannot show which caller the agent recognises`);
});

/** An agent that takes unsigned requests. Throws `NotApplicable` when it does not. */
export const takesUnsigned: Source<Stance> = source('an agent that takes unsigned requests', async (scene) => {
  const seen = await scene.use(stance);
  if (seen.unsigned === 'admitted') return seen;
  if (seen.unsigned === 'refused') throw new NotApplicable('the agent takes signed requests only');
  throw new PreconditionUnmet(
    `the answer does not show what the agent does with unsigned requests: ${describe(seen.unsignedOutcome)}`,
  );
});

/** One of several requests that must be judged alike. */
export interface Attempt {
  /** Its special feature; reads before a colon. */
  readonly about: string;
  readonly send: () => Promise<Outcome<unknown>>;
}
export interface Attempted {
  readonly about: string;
  readonly outcome: Outcome<unknown>;
}

/** Sends the attempts in turn, until the agent accepts one; after that it sends nothing. */
export async function untilLetIn(attempts: readonly Attempt[]): Promise<readonly Attempted[]> {
  const seen: Attempted[] = [];
  for (const { about, send } of attempts) {
    const outcome = await send();
    seen.push({ about, outcome });
    if (isAdmitted(outcome)) break;
  }
  return seen;
}

/** Judges each; returns the first failure, else the first that is unproven. */
export function each(seen: readonly Attempted[], judge: (outcome: Outcome<unknown>) => Judgement): Judgement {
  let open: Judgement;
  for (const { about, outcome } of seen) {
    const judgement = judge(outcome);
    if (typeof judgement === 'string') return `${about}: ${judgement}`;
    if (judgement instanceof Inconclusive) open ??= inconclusive(`${judgement.reason} (${about})`);
  }
  return open;
}

/** The chain that the agent asks. Throws `PreconditionUnmet` if it is not one of the kit's. */
export function stubOf(scene: Scene): ChainControl {
  const { stub, stubOff } = xprOf(scene);
  if (stub === undefined) throw new PreconditionUnmet(stubOff);
  return stub;
}

/**
 * Runs `use` with a new account that has these permissions, is registered, and has the highest trust; removes it
 * afterwards. Throws `PreconditionUnmet` if the chain is not one of the kit's.
 */
export async function withAccount<T>(
  scene: Scene,
  account: string,
  permissions: readonly ChainPermission[],
  use: (stub: ChainControl) => Promise<T>,
): Promise<T> {
  const stub = stubOf(scene);
  try {
    await stub.setAccount({ name: account, permissions });
    await stub.setAgent({ account, active: true, registeredAt: 1 });
    await stub.setKyc({ account, verified: 1, kyc: [3] });
    return await use(stub);
  } finally {
    await stub.setFailure(account, undefined);
    await stub.removeAgent(account);
    await stub.removeKyc(account);
    await stub.removeAccount(account);
  }
}
