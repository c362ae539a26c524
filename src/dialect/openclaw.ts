import { type Draft, isObject, member, type StreamEvent, stringMember } from '../model/index.js';
import { a2a03 } from './a2a-0.3.js';
import { type Codec, mapped } from './codec.js';
import { dataModel } from './data-model.js';
import type { Dialect } from './dialect.js';

// The dialect of the OpenClaw A2A channel: 0.3 methods, parts told apart by `type`, objects without `kind`, a task list
// over JSON-RPC, and stream events that wrap what they carry.

const model = dataModel({ partTag: 'type', tagged: false });
const { sendParams, sendReply, task, taskQuery, taskRef, listQuery, taskPage } = model;

const event: Codec<StreamEvent> = mapped<StreamEvent>(
  (draft) => {
    if (!isObject(draft)) return draft;
    const { type, ...rest } = draft as Record<string, unknown>;
    if (type === 'task') return { type, task: task.encode(rest['task'] as never) };
    if (type === 'message') return { type, message: model.message.encode(rest['message'] as never) };
    const spelled = model.event.encode(draft as Draft<StreamEvent>);
    const { final, ...others } = isObject(spelled) ? spelled : { final: undefined };
    // `final` stands on the last event only.
    return { type, ...others, ...(final === true ? { final } : {}) };
  },
  (wire) => {
    const type = stringMember(wire, 'type');
    if (type === 'task' || type === 'message') return model.sendReply.decode(member(wire, type));
    return model.event.decode(wire);
  },
);

export const openclaw: Dialect = {
  ...a2a03,
  id: 'openclaw',
  title: 'OpenClaw dialect over JSON-RPC',
  ledger: 'openclaw',
  schemas: 'a2a/openclaw',
  endpointPath: '/a2a',
  finalFlag: false,
  operations: {
    send: { method: 'message/send', params: sendParams, result: sendReply },
    stream: { method: 'message/stream', params: sendParams, result: event },
    get: { method: 'tasks/get', params: taskQuery, result: task },
    list: { method: 'tasks/list', params: listQuery, result: taskPage },
    cancel: { method: 'tasks/cancel', params: taskRef, result: task },
    subscribe: { method: 'tasks/resubscribe', params: taskRef, result: event },
  },
  recognises(document) {
    if (stringMember(document, 'protocolVersion') !== undefined) return 'no';
    const schemes = member(member(document, 'authentication'), 'schemes');
    return Array.isArray(schemes) || stringMember(document, 'name') === 'OpenClaw Agent' ? 'yes' : 'maybe';
  },
};
