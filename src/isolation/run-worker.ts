import { parentPort } from 'node:worker_threads';
import { type DeviceRequest, type JudgedTarget, loadAhead, runHere } from '../endpoint/index.js';
import { framesOf, nameOfDefect, TckError } from '../model/index.js';
import type { Report } from '../report/index.js';
import { writerOf } from './doing.js';
import type { FromRun, Start, Thrown, ToRun } from './messages.js';
import { sendAndWait } from './taken-lists.js';

// The thread that talks to the agent: it judges, reports what it finds, and answers pings.

if (parentPort === null) throw new Error('this file is run as a thread');
const port = parentPort;
const tell = (message: FromRun): void => port.postMessage(message);

const stopping = new AbortController();
let restarted: ((failed: string | undefined) => void) | undefined;

port.on('message', (message: ToRun) => {
  if (message.type === 'start') void judge(message.start);
  else if (message.type === 'ping') tell({ type: 'pong' });
  else if (message.type === 'stop') stopping.abort(message.why);
  else restarted?.(message.failed);
});

const restart = (): Promise<void> =>
  new Promise((resolve, reject) => {
    restarted = (failed) => (failed === undefined ? resolve() : reject(new Error(failed)));
    tell({ type: 'restart' });
  });

function whole({ options, restarts, asks, keeps, takenLists }: Start): JudgedTarget {
  const { fuzz, ...rest } = options;
  return {
    ...rest,
    ...(fuzz === undefined
      ? {}
      : { fuzz: { ...fuzz, ...(keeps ? { onKept: (value) => tell({ type: 'kept', value }) } : {}) } }),
    ...(restarts ? { restart } : {}),
    signal: stopping.signal,
    ...(asks ? { onDevice: (request: DeviceRequest) => tell({ type: 'device', request }) } : {}),
    onPayments: sendAndWait(takenLists, (list) => tell({ type: 'payments', list })),
    onEvent: (event) => {
      if (event.type !== 'run.ended') tell({ type: 'event', event });
    },
  };
}

void loadAhead();

function thrown(error: unknown): Thrown {
  if (error instanceof TckError) return { code: error.code, message: error.message, hint: error.hint };
  return { message: nameOfDefect(error), stack: error instanceof Error ? framesOf(error).join('\n') : undefined };
}

/** Bodies from this size on are handed over, bytes: a copy of smaller ones costs less than to keep a list of them. */
const largeBody = 16 * 1024;

/** The memory of large bodies that nothing else shares: this thread ends, so the other one need not copy it. */
function buffersIn({ exchanges }: Report): readonly ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  for (const { request, response } of exchanges)
    for (const body of [request.body, response?.body])
      if (body !== undefined && body.length >= largeBody && body.length === body.buffer.byteLength)
        if (body.buffer instanceof ArrayBuffer) found.add(body.buffer);
  return [...found];
}

async function judge(start: Start): Promise<void> {
  tell({ type: 'pong' });
  try {
    const report = await runHere(whole(start), {
      planned: (results) => tell({ type: 'planned', results }),
      settled: (result) => tell({ type: 'settled', result }),
      doing: writerOf(start.doing),
    });
    port.postMessage({ type: 'ended', report } satisfies FromRun, buffersIn(report));
  } catch (error) {
    tell({ type: 'failed', error: thrown(error) });
  }
  port.close();
}
