import type { Outcome } from '../../client/index.js';
import type { Acceptance } from '../../report/index.js';
import { acceptanceOf, type FuzzStage } from '../../run/index.js';
import type { Case } from '../case/case.js';
import type { Sent, Trace } from '../execute/trace.js';
import type { Generator } from '../generate/generator.js';
import type { RandomSource } from '../generate/random-source.js';

/** Whether the agent has accepted anything: a campaign on an agent that refuses everything shows nothing. */
export interface Taken {
  note(trace: Trace): void;
  /** Sends plain messages, if none was accepted so far. */
  settle(perform: (next: Case) => Promise<Trace>): Promise<Acceptance>;
}

/** Words and media types are drawn: one message may be refused because of them. */
const mostAsks = 3;

const isSend = ({ step: { operation } }: Sent): boolean => operation === 'send' || operation === 'stream';

/** If nothing may be sent that begins work, a refusal with a reason is the most that an agent can show. */
const isReasoned = ({ kind, ...outcome }: Outcome<unknown>): boolean =>
  kind === 'refusal' && 'error' in outcome && outcome.error !== undefined && outcome.error !== 'InternalError';

export function createTaken(
  generator: Generator,
  randomSource: RandomSource,
  { client: { dialect } }: FuzzStage,
): Taken {
  const canSend = generator.operations.includes('send');
  let accepted = false;
  let refused: Outcome<unknown> | undefined;

  function note({ sent }: Trace): void {
    if (accepted) return;
    for (const request of sent) {
      if (canSend && !isSend(request)) continue;
      const { outcome, stream } = request.reading;
      const isTaken = outcome.kind === 'result' || (stream?.events ?? []).length > 0;
      if (isTaken || (!canSend && isReasoned(outcome))) accepted = true;
      else if (request.demand === 'valid') refused ??= outcome;
    }
  }
  return {
    note,
    async settle(perform) {
      const [operation = 'get'] = canSend ? (['send'] as const) : generator.operations;
      for (let asked = 0; asked < mostAsks && !accepted; asked++) {
        const steps = [generator.valid(randomSource.branch('taken'), operation, [])];
        note(await perform({ dialect: dialect.id, steps }));
      }
      return acceptanceOf({ accepted, makesTasks: undefined, refused, streams: undefined });
    },
  };
}
