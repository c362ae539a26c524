import type { Message } from '../../src/model/index.js';
import type { Patch } from '../../src/reference/index.js';
import type { Carrier, Clock } from '../../src/wire/index.js';

// An agent like one behind which a language model works: it takes seconds, heeds no prompt by its words, asks back or
// answers with a message by chance, and takes twenty calls a minute. What it does follows a seed.

/** What chance decides. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const said = (text: string) => ({ kind: 'text', text }) as const;

/** Ends of work, and how many of a hundred tasks have each. */
export type Ends = Partial<Readonly<Record<'failed' | 'rejected' | 'auth-required', number>>>;

/** How it works: on what, whatever the prompt says, by chance. `ends`: beside those that complete and ask back. */
export function modelLike(seed: number, ends: Ends = {}): Patch {
  const chance = random(seed);
  return (inner) => ({
    script(message: Message, waiting) {
      const thinkingMs = 1000 + Math.floor(7000 * chance());
      const choice = chance();
      const words = `I have thought about ${message.parts.length} parts.`;
      if (waiting === undefined && choice < 0.1) return { reply: 'message', afterMs: thinkingMs, parts: [said(words)] };
      const asks = waiting === undefined && choice < 0.35;
      let upTo = 0.35;
      let end: string | undefined;
      for (const [state, share] of waiting === undefined && !asks ? Object.entries(ends) : []) {
        upTo += share / 100;
        if (choice < upTo) end ??= state;
      }
      return {
        reply: 'task',
        steps: [
          { afterMs: 5, act: { type: 'status', state: 'working' } },
          ...(end !== undefined
            ? [{ afterMs: thinkingMs, act: { type: 'status', state: end as keyof Ends, say: 'I cannot.' } } as const]
            : asks
              ? [{ afterMs: thinkingMs, act: { type: 'status', state: 'input-required', say: 'Which one?' } } as const]
              : [
                  { afterMs: thinkingMs, act: { type: 'artifact', name: 'answer', parts: [said(words)] } } as const,
                  { afterMs: 5, act: { type: 'status', state: 'completed', say: 'Done.' } } as const,
                ]),
        ],
      } satisfies ReturnType<typeof inner.script>;
    },
  });
}

/** Twenty calls in a minute, then 429 with Retry-After. `refused`: when it refused one, ms. */
export function rateLimited(most = 20, windowMs = 60_000) {
  const refused: number[] = [];
  const between = (carrier: Carrier, clock: Clock): Carrier => {
    let taken = 0;
    let begun = clock.now();
    return async (request, signal) => {
      const now = clock.now();
      if (request.method === 'GET') return carrier(request, signal);
      if (now - begun >= windowMs) {
        begun = now;
        taken = 0;
      }
      if (taken++ < most) return carrier(request, signal);
      refused.push(now);
      const seconds = Math.ceil((begun + windowMs - now) / 1000);
      return { status: 429, headers: [['retry-after', String(seconds)]], body: (async function* () {})() };
    };
  };
  return { refused, between };
}
