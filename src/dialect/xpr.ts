import {
  type Card,
  canParseUrl,
  type Draft,
  isObject,
  member,
  type SendParams,
  type SendReply,
  stringMember,
  type Task,
  type TaskQuery,
  withoutSlashes,
} from '../model/index.js';
import { a2a03 } from './a2a-0.3.js';
import { card as card03 } from './a2a-0.3-card.js';
import { type Codec, field, mapped, record, text } from './codec.js';
import { dataModel } from './data-model.js';
import type { Dialect } from './dialect.js';

// The dialect of XPR Network agents: 0.3 methods, parts that `type` names, objects without `kind`, messages of a role
// and parts only, signed requests. XPR document, Methods, Message Format, Authentication, Error Codes.

const {
  sendParams: plain,
  sendReply: plainReply,
  task: plainTask,
  taskRef,
} = dataModel({ partTag: 'type', tagged: false });

/** `id` and `contextId` of the task that a message continues are beside the message, not in it. */
const sendParams: Codec<SendParams> = mapped<SendParams>(
  (draft) => {
    const wire = plain.encode(draft);
    if (!isObject(wire)) return wire;
    const { configuration: _, ...params } = wire;
    const message = params['message'];
    if (!isObject(message)) return params;
    const { messageId: __, taskId, contextId, ...spoken } = message;
    return {
      ...(taskId === undefined ? {} : { id: taskId }),
      ...(contextId === undefined ? {} : { contextId }),
      ...params,
      message: spoken,
    };
  },
  (wire) => {
    const message = member(wire, 'message');
    if (!isObject(wire) || !isObject(message)) return plain.decode(wire);
    const taskId = stringMember(wire, 'id');
    const contextId = stringMember(wire, 'contextId');
    return plain.decode({
      ...wire,
      message: {
        ...message,
        ...(taskId === undefined ? {} : { taskId }),
        ...(contextId === undefined ? {} : { contextId }),
      },
    });
  },
);

/** XPR document, Methods: artifacts have an index instead of an id. */
function numbered(wire: unknown): unknown {
  const artifacts = member(wire, 'artifacts');
  if (!isObject(wire) || !Array.isArray(artifacts)) return wire;
  const named = artifacts.map((artifact) =>
    isObject(artifact) && typeof artifact['index'] === 'number'
      ? { artifactId: `index ${artifact['index']}`, ...artifact }
      : artifact,
  );
  return { ...wire, artifacts: named };
}
const task: Codec<Task> = mapped<Task>(plainTask.encode, (wire) => plainTask.decode(numbered(wire)));
const sendReply: Codec<SendReply> = mapped<SendReply>(plainReply.encode, (wire) => plainReply.decode(numbered(wire)));

const path = '/a2a';
/** XPR document, Methods: requests go to `/a2a` below the URL in the card, or to that URL if it ends with `/a2a`. */
const card: Codec<Card> = mapped<Card>(
  (draft) => {
    const wire = card03.encode(draft);
    const url = stringMember(wire, 'url');
    return isObject(wire) && url?.endsWith(path) === true ? { ...wire, url: url.slice(0, -path.length) } : wire;
  },
  (wire) => {
    const found = card03.decode(wire);
    return (
      found && {
        ...found,
        interfaces: found.interfaces.map((entry) => ({ ...entry, url: below(entry.url), or: entry.url })),
      }
    );
  },
);
function below(url: string): string {
  if (!canParseUrl(url)) return url;
  const named = new URL(url);
  const base = withoutSlashes(named.pathname);
  if (base.endsWith(path)) return url;
  named.pathname = `${base}${path}`;
  return named.href;
}

const id = record<Pick<TaskQuery, 'id'>>({ id: field('id', text, '') });
/** The document defines only `id`. */
const taskQuery: Codec<TaskQuery> = mapped<TaskQuery>((draft) => {
  if (!isObject(draft)) return draft;
  const { historyLength: _, ...others } = draft as Record<string, unknown>;
  return id.encode(others as Draft<Pick<TaskQuery, 'id'>>);
}, id.decode);

const members = ['xpr:account', 'xpr:protocol', 'xpr:trustScore', 'xpr:kycLevel', 'xpr:registeredAt', 'xpr:owner'];

/** Requests signed over account, timestamp and body. */
export const xpr: Dialect<'xpr', never> = {
  ...a2a03,
  id: 'xpr',
  version: 'xpr',
  protocolVersion: undefined,
  title: 'XPR dialect over JSON-RPC',
  pays: false,
  ledger: 'xpr',
  clientLedger: 'client-xpr',
  schemas: 'a2a/xpr',
  cardPaths: ['/.well-known/agent.json', '/.well-known/agent-card.json'],
  endpointPath: path,
  finalFlag: false,
  signed: {
    pack: 'xpr',
    give: 'give an account with --xpr-account and its key',
    inScripts: 'A2A_TCK_XPR_KEY=… and --xpr-account <name>.',
  },
  card,
  errors: {
    ParseError: { rpc: -32700 },
    InvalidRequest: { rpc: -32600 },
    MethodNotFound: { rpc: -32601 },
    InvalidParams: { rpc: -32602 },
    InternalError: { rpc: -32603 },
    AuthenticationError: { rpc: -32000 },
    TaskNotFound: { rpc: -32001 },
    TaskNotCancelable: { rpc: -32002 },
  },
  operations: {
    send: { rpc: 'message/send', params: sendParams, result: sendReply },
    get: { rpc: 'tasks/get', params: taskQuery, result: task },
    cancel: { rpc: 'tasks/cancel', params: taskRef, result: task },
  },
  recognises: (document) =>
    isObject(document) && members.some((name) => Object.hasOwn(document, name)) ? 'yes' : 'no',
};

/** The same, but the signature covers the recipient and the chain too. A card does not tell which one an agent uses. */
export const xprV2: Dialect<'xpr-v2', never> = {
  ...xpr,
  id: 'xpr-v2',
  version: 'xpr-v2',
  title: 'XPR dialect over JSON-RPC, requests signed for one recipient',
  ledger: 'xpr-v2',
  recognises: () => 'no',
};
