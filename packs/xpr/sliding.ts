import { isAdmitted, type Scene, sleep } from '../../src/kit/index.js';
import { burst, minuteMs, restMs, unpaced } from './bursts.js';
import * as xpr from './shared/asking.js';

// Whether the limit counts the last minute, or fixed minutes. XPR document, Rate Limiting.

/** Requests sent when a fixed window has just restarted, while only one earlier request is a minute old. */
const probes = 3;

export interface Slid {
  /** The limit was reached again. */
  readonly wasReached: boolean;
  /** Requests sent at the end, and how many of them were accepted. */
  readonly sent: number;
  readonly admitted: number;
}

/**
 * Sends one request, and 50 seconds later as many as the limit allows: 62 seconds after the first, one is free again. A
 * window that began with the first request, or a minute of the clock, is empty then.
 */
export async function slide(scene: Scene, rate: number): Promise<Slid> {
  const { clock } = scene;
  const caller = xpr.firstCaller(scene);
  const send = () => unpaced(scene, caller);
  await sleep(clock, restMs);
  // The minute of the agent's clock must end between the last two steps.
  await sleep(clock, ((64 - (xpr.xprOf(scene).seconds() % 60)) % 60) * 1000);
  const started = clock.now();
  const until = (ms: number) => sleep(clock, Math.max(0, started + ms - clock.now()));
  const opener = await send();
  await until(50_000);
  const full = await burst(scene, rate, send);
  const wasReached = isAdmitted(opener) && full.admitted === rate - 1 && full.refused === 1 && full.spanMs < 5000;
  await until(minuteMs + 2000);
  const last = await burst(scene, Math.min(probes, rate), send);
  return { wasReached, sent: last.outcomes.length, admitted: last.admitted };
}
