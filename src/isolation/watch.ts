import { cpuUsage } from 'node:process';

/** Limits of a thread: how long it may be silent, how long it may take to end, how much memory it may use. */
export interface Patience {
  /** Interval of the pings, ms. */
  readonly everyMs: number;
  /** A thread is stuck if it gives no answer for this many intervals and the process has used `cpuMs` meanwhile. */
  readonly pings: number;
  /** Processor time of the process since the ping, ms. On a machine busy with other things it is not reached. */
  readonly cpuMs: number;
  /** Time that a thread may take to end on request, ms. */
  readonly endMs: number;
  /** Limit of its heap, MiB. Only data of the agent makes it grow beyond that. */
  readonly heapMiB: number;
}

export const usualPatience: Patience = { everyMs: 1000, pings: 10, cpuMs: 8000, endMs: 10_000, heapMiB: 1024 };

export interface Watch {
  /** The thread has answered. The first call marks its start: before that, no ping is sent. */
  pong(): void;
  end(): void;
}

const spentMs = (): number => {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
};

/** Pings a thread. Calls `stuck` once, with the seconds of silence, when it no longer answers. */
export function watchOver(
  { everyMs, pings, cpuMs }: Patience,
  ping: () => void,
  stuck: (seconds: number) => void,
): Watch {
  let isThere = false;
  let isAsked = false;
  let unanswered = 0;
  let used = 0;
  // Counted in turns of this timer, not in time: sleep of the machine does not count.
  const timer = setInterval(() => {
    if (!isThere) return;
    if (!isAsked) {
      isAsked = true;
      unanswered = 0;
      used = spentMs();
      ping();
      return;
    }
    unanswered++;
    if (unanswered < pings || spentMs() - used < cpuMs) return;
    clearInterval(timer);
    stuck(Math.round((unanswered * everyMs) / 1000));
  }, everyMs);
  return {
    pong() {
      isThere = true;
      isAsked = false;
    },
    end: () => clearInterval(timer),
  };
}
