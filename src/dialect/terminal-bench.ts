import { member, type TaskQuery, type TaskRef } from '../model/index.js';
import { a2a03 } from './a2a-0.3.js';
import { field, integer, map, record, text } from './codec.js';
import { dataModel } from './data-model.js';
import type { Dialect } from './dialect.js';

// The dialect of the Terminal Bench agent: 0.3 objects under dotted method names, `taskId` for the id of a task.

const { sendParams, sendReply, task } = dataModel({ partTag: 'kind', tagged: true });

export const terminalBench: Dialect<'terminal-bench', never> = {
  ...a2a03,
  id: 'terminal-bench',
  version: 'terminal-bench',
  title: 'Terminal Bench dialect over JSON-RPC',
  protocolVersion: undefined,
  pays: false,
  ledger: 'terminal-bench',
  clientLedger: undefined,
  schemas: 'a2a/terminal-bench',
  cardPaths: ['/.well-known/agent-card', '/agent-card', ...a2a03.cardPaths.slice(0, 2)],
  recognises(document) {
    // A card that names a version of A2A is judged by it; words in the metadata do not count as such a claim.
    if (member(document, 'protocolVersion') !== undefined || member(document, 'supportedInterfaces') !== undefined)
      return 'no';
    const marks = [
      member(member(document, 'metadata'), 'a2a_version'),
      member(member(document, 'capabilities'), 'longRunningTasks'),
    ].filter((part) => part !== undefined);
    return marks.length === 2 ? 'yes' : marks.length === 1 ? 'maybe' : 'no';
  },
  operations: {
    send: { rpc: 'message.send', params: sendParams, result: sendReply },
    get: {
      rpc: 'task.get',
      params: record<TaskQuery>({
        id: field('taskId', text, ''),
        historyLength: field('historyLength', integer),
        metadata: field('metadata', map),
      }),
      result: task,
    },
    cancel: {
      rpc: 'task.cancel',
      params: record<TaskRef>({ id: field('taskId', text, ''), metadata: field('metadata', map) }),
      result: task,
    },
  },
};
