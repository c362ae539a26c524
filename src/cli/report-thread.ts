import { parentPort, workerData } from 'node:worker_threads';
import { writerOf } from '../isolation/doing.js';
import { collectEvery } from '../model/collect.js';
import { renderer } from './renderer.js';
import type { FromReports, ReportStart, ToReports } from './report-messages.js';

// The thread that renders reports: they contain text of the target, which may keep it busy forever.

const { rendered, doing } = workerData as ReportStart;
if (parentPort === null) throw new Error('this file is run as a thread');
const port = parentPort;
const tell = (message: FromReports): void => port.postMessage(message);

/** What a text was made of takes more memory than the text. */
const noteText = collectEvery(2 * 1024 * 1024);

const write = writerOf(doing);
const render = renderer(
  rendered,
  (at, text) => {
    tell({ type: 'text', at, text });
    noteText(text.length);
  },
  (at, error) => tell({ type: 'failed', at, error }),
  write,
);
port.on('message', (message: ToReports) => {
  if (message.type === 'ping') tell({ type: 'pong' });
  else if (message.type === 'flush') tell({ type: 'flushed' });
  else render(message.event);
});
tell({ type: 'pong' });
