import { type Scene, sleep, xpr } from '../../src/kit/index.js';
import { burst, minuteMs, restMs, unpaced } from './bursts.js';

// Whether a limit counts the last minute, or minutes that begin at some time. XPR document, Rate Limiting.

/** Requests that are sent when a window with edges begins anew, while only one of the earlier ones is a minute old. */
const probes = 3;

export interface Slid {
  /** The limit was reached once more. */
  readonly wasReached: boolean;
  /** Of how many at the end, how many were let in. */
  readonly sent: number;
  readonly admitted: number;
}

/**
 * One request, and 50 seconds later as many as the limit allows: 62 seconds after the first, one is free again. A
 * window that began with the first request, or one of the minutes of the clock, is empty then.
 */
export async function slide(scene: Scene, rate: number): Promise<Slid> {
  const { clock } = scene;
  const caller = xpr.firstCaller(scene);
  const send = () => unpaced(scene, caller);
  await sleep(clock, restMs);
  // So that the minute of the agent's clock ends between the last two steps.
  await sleep(clock, ((64 - (xpr.xprOf(scene).seconds() % 60)) % 60) * 1000);
  const started = clock.now();
  const until = (ms: number) => sleep(clock, Math.max(0, started + ms - clock.now()));
  const opener = await send();
  await until(50_000);
  const full = await burst(scene, rate, send);
  const wasReached = xpr.isAdmitted(opener) && full.admitted === rate - 1 && full.refused === 1 && full.spanMs < 5000;
  await until(minuteMs + 2000);
  const last = await burst(scene, Math.min(probes, rate), send);
  return { wasReached, sent: last.outcomes.length, admitted: last.admitted };
}
