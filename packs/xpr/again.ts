import {
  describe,
  isAdmitted,
  type Outcome,
  type PostOptions,
  PreconditionUnmet,
  type Scene,
} from '../../src/kit/index.js';
import * as xpr from './shared/asking.js';

// Accepted requests that are sent again. Each may count against the agent's limit.

/** Waits until one more signed request of the user's account may be sent. */
export async function turn(scene: Scene): Promise<void> {
  await xpr.xprOf(scene).as(xpr.firstCaller(scene)).signer?.turn();
}

/**
 * Waits until `count` more requests may be sent. After a long wait they are counted again, at the time when they are
 * sent.
 */
export async function turns(scene: Scene, count: number): Promise<void> {
  const started = scene.clock.now();
  for (let index = 0; index < count; index++) await turn(scene);
  if (scene.clock.now() - started < 1000) return;
  const unpaced = xpr.xprOf(scene).as(xpr.firstCaller(scene), { paced: false });
  for (let index = 0; index < count; index++) await unpaced.signer?.turn();
}

/**
 * A probe of the user's account that was accepted. Throws `PreconditionUnmet` otherwise: then refusing it a second time
 * shows nothing.
 */
export async function accepted(scene: Scene, signing: xpr.Signing = {}): Promise<xpr.SignedRequest> {
  await turn(scene);
  const request = xpr.signed(scene, xpr.firstCaller(scene), signing);
  const outcome = await xpr.send(scene, request);
  if (isAdmitted(outcome)) return request;
  const exchange = outcome.kind === 'not-sent' ? undefined : outcome.exchange;
  throw new PreconditionUnmet(`the agent refused the first request (${describe(outcome)})`, exchange);
}

/** The same bytes, except for `change`. */
export async function again(
  scene: Scene,
  request: xpr.SignedRequest,
  change: Partial<xpr.SignedRequest> = {},
  options: PostOptions = {},
): Promise<Outcome<unknown>> {
  await turn(scene);
  return xpr.send(scene, { ...request, ...change }, options);
}

/** Advice for agents that accept a request twice. */
export const rememberAdvice =
  'Note account, timestamp as a number and body hash of each verified request, in one step with the look-up, until ' +
  'the timestamp is too old.';
