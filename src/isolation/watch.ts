import { cpuUsage } from 'node:process';

/** What a thread may do: how long it is silent, how long it takes to end, how much memory it has. */
export interface Patience {
  /** Pings follow each other at this distance, ms. */
  readonly everyMs: number;
  /** A thread that answers none of so many is stuck, where it has used the processor meanwhile. */
  readonly pings: number;
  /** Of the process, since the last answer, ms: a machine that is busy with other things has not given it so much. */
  readonly cpuMs: number;
  /** A thread that was told to end has so long to do it, ms. */
  readonly endMs: number;
  /** Of its heap: what grows beyond it does so for what the agent sends. */
  readonly heapMiB: number;
}

export const usualPatience: Patience = { everyMs: 1000, pings: 10, cpuMs: 8000, endMs: 10_000, heapMiB: 1024 };

export interface Watch {
  /** The thread has answered. The first time counts as its start: before, it is not asked. */
  pong(): void;
  end(): void;
}

const spentMs = (): number => {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
};

/** Pings a thread, and calls `stuck` once, with the seconds, when it answers no more. */
export function watchOver(
  { everyMs, pings, cpuMs }: Patience,
  ping: () => void,
  stuck: (seconds: number) => void,
): Watch {
  let isThere = false;
  let isAsked = false;
  let unanswered = 0;
  let used = 0;
  // Counted in turns of this thread: while the machine sleeps, nobody is late.
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
