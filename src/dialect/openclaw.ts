import {
  type Card,
  type Draft,
  isObject,
  member,
  type SecurityScheme,
  type StreamEvent,
  stringMember,
  strings,
  type TaskPage,
} from '../model/index.js';
import { a2a03 } from './a2a-0.3.js';
import { card as card03 } from './a2a-0.3-card.js';
import { type Codec, mapped } from './codec.js';
import { dataModel } from './data-model.js';
import type { Dialect } from './dialect.js';

// The dialect of the OpenClaw A2A channel: 0.3 methods, parts that `type` names, objects without `kind`, a task list over
// JSON-RPC, and stream events that wrap what they carry.

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

/** The document does not define the form of a listing: reads an array of tasks, or an object that has one. */
const listing: Codec<TaskPage> = mapped<TaskPage>(
  (draft) => taskPage.encode(draft),
  (wire) => {
    if (Array.isArray(wire)) return taskPage.decode({ tasks: wire });
    return Array.isArray(member(wire, 'tasks')) ? taskPage.decode(wire) : undefined;
  },
);

/** `authentication.schemes` names what the gateway asks for. The document does not say where a key is sent. */
const schemes: Readonly<Record<string, SecurityScheme>> = {
  bearer: { type: 'http', scheme: 'bearer' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
};

const card: Codec<Card> = mapped<Card>(
  (draft) => {
    const document = card03.encode(draft);
    if (!isObject(document)) return document;
    const declared = Object.values(document['securitySchemes'] ?? {}).map((scheme) => member(scheme, 'type'));
    const demanded = Object.keys(schemes).filter((name) => declared.includes(schemes[name]?.type));
    return demanded.length > 0 ? { ...document, authentication: { schemes: demanded } } : document;
  },
  (wire) => {
    const found = card03.decode(wire);
    const named = strings(member(member(wire, 'authentication'), 'schemes')).filter((name) =>
      Object.hasOwn(schemes, name),
    );
    // Security schemes in the form of 0.3 have priority.
    if (found === undefined || named.length === 0 || Object.keys(found.securitySchemes).length > 0) return found;
    return {
      ...found,
      security: named.map((name) => ({ [name]: [] })),
      securitySchemes: Object.fromEntries(Object.entries(schemes).filter(([name]) => named.includes(name))),
    };
  },
);

/** Design, Agent Card Generation: the members of a skill that the gateway writes. */
const skillMembers: ReadonlySet<string> = new Set(['id', 'name', 'description']);

const isBare = (skill: unknown): boolean =>
  isObject(skill) && Object.keys(skill).every((name) => skillMembers.has(name));

/**
 * Whether the card has all marks of a card that the gateway generates. One is not enough: cards of early A2A and cards
 * written by hand have some of them, such as `authentication.schemes`.
 */
function isGenerated(document: unknown): boolean {
  const capabilities = member(document, 'capabilities');
  const skills = member(document, 'skills');
  return (
    stringMember(document, 'version') === '1.0.0' &&
    member(capabilities, 'stateTransitionHistory') === true &&
    member(capabilities, 'pushNotifications') === false &&
    strings(member(document, 'defaultInputModes')).join() === 'text' &&
    strings(member(document, 'defaultOutputModes')).join() === 'text' &&
    Array.isArray(skills) &&
    skills.length > 0 &&
    skills.every(isBare)
  );
}

export const openclaw: Dialect<'openclaw', never> = {
  ...a2a03,
  id: 'openclaw',
  version: 'openclaw',
  title: 'OpenClaw dialect over JSON-RPC',
  protocolVersion: undefined,
  pays: false,
  ledger: 'openclaw',
  clientLedger: undefined,
  schemas: 'a2a/openclaw',
  endpointPath: '/a2a',
  finalFlag: false,
  card,
  operations: {
    send: { rpc: 'message/send', params: sendParams, result: sendReply },
    stream: { rpc: 'message/stream', params: sendParams, result: event },
    get: { rpc: 'tasks/get', params: taskQuery, result: task },
    list: { rpc: 'tasks/list', params: listQuery, result: listing },
    cancel: { rpc: 'tasks/cancel', params: taskRef, result: task },
    subscribe: { rpc: 'tasks/resubscribe', params: taskRef, result: event },
  },
  recognises(document) {
    if (member(document, 'protocolVersion') !== undefined || member(document, 'supportedInterfaces') !== undefined)
      return 'no';
    return stringMember(document, 'name') === 'OpenClaw Agent' || isGenerated(document) ? 'yes' : 'no';
  },
};
