import {
  type CollectedStream,
  inconclusive,
  isTerminal,
  type Judgement,
  lastState,
  type StreamEvent,
  stateIn,
} from '../../src/kit/index.js';

// No rule: index.ts does not collect this file.

const isOver = (event: StreamEvent): boolean => {
  const state = stateIn(event);
  return (event.type === 'status' && event.final === true) || (state !== undefined && isTerminal(state));
};

/** The stream has ended after it showed the end of its task. */
export function closed({ events, seen, end, exchange }: CollectedStream): Judgement {
  const over = events.find(isOver);
  if (over === undefined) {
    const last = lastState(events) ?? 'no state';
    return inconclusive(
      `the stream did not show the end of its task: its last event is ${last}, and then it was ${end}`,
    );
  }
  if (end === 'ended') return undefined;
  const what = `${stateIn(over)}${over.type === 'status' && over.final === true ? ', final' : ''}`;
  if (end !== 'left-open') return inconclusive(`the stream broke after ${what}: ${exchange.failure?.detail}`);
  const open = exchange.durationMs - (seen.at(-1)?.atMs ?? 0);
  return `the stream was still open ${Math.round(open)} ms after its last event (${what})`;
}
