import { type BindingId, lineage } from '../../dialect/index.js';
import { type Draft, isObject, type Operation, type Task } from '../../model/index.js';
import { bodyText } from '../../wire/index.js';
import { createAgent } from '../agent.js';
import type { Incoming, Reply } from '../calls.js';
import { peek } from '../http.js';
import { streamReply } from '../http-json.js';
import { type Impostor, type ImpostorContext, impostor } from '../impostor.js';
import type { Patch } from '../seams.js';
import { behindCard, json, text } from './answers.js';

// Perfect cards of HTTP+JSON with no agent behind them: what stands on a path where no A2A is spoken, but the forms of
// HTTP and JSON are right.

const binding: BindingId = 'http+json';

const page = (title: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;

const withHeader = (reply: Reply, name: string, value: string): Reply => ({
  ...reply,
  headers: [...reply.headers, [name, value]],
});

/** What came, as servers for trying out clients show it. */
const mirror = ({ method, url, headers, body }: Incoming): Reply => {
  const { pathname, searchParams } = new URL(url);
  const sent = peek({ method, url, headers, ...(body === undefined ? {} : { body }) });
  return json({
    method,
    path: pathname,
    args: Object.fromEntries(searchParams),
    headers: Object.fromEntries(headers),
    data: body === undefined ? '' : bodyText(body),
    json: sent ?? null,
    ...(isObject(sent) ? sent : {}),
  });
};

const anExample = ({ clock }: ImpostorContext): Task => ({
  id: '11111111-1111-4111-8111-111111111111',
  contextId: '22222222-2222-4222-8222-222222222222',
  status: { state: 'completed', timestamp: new Date(clock.now()).toISOString() },
  artifacts: [{ artifactId: '33333333-3333-4333-8333-333333333333', parts: [{ kind: 'text', text: 'Done.' }] }],
});

/** A result of each operation, spelled as the dialect has it. */
export function exampleOf(op: Operation, context: ImpostorContext): unknown {
  const task = anExample(context);
  const config = { id: '55555555-5555-4555-8555-555555555555', url: 'https://client.example/webhook' };
  const values: Readonly<Partial<Record<Operation, unknown>>> = {
    send: { type: 'task', task },
    stream: { type: 'task', task },
    subscribe: { type: 'task', task },
    get: task,
    cancel: task,
    list: { tasks: [task], nextPageToken: '', pageSize: 1, totalSize: 1 },
    pushSet: { taskId: task.id, config },
    pushGet: { taskId: task.id, config },
    pushList: [{ taskId: task.id, config }],
  };
  const codec = context.dialect.operations[op]?.result;
  return codec?.encode(values[op] as Draft<never>) ?? {};
}

/** The agent itself, whose answers come in the envelopes of JSON-RPC under HTTP 200. */
const enveloped: Patch = (inner) => ({
  httpResult: (result) => ({ status: 200, value: { jsonrpc: '2.0', id: 1, result } }),
  httpRefusal: (error) => ({ ...inner.httpRefusal(error), status: 200, value: { jsonrpc: '2.0', id: 1, error } }),
});

const refusing = (id: string, status: number, code: number, reason: string, message: string): Impostor =>
  impostor(id, {
    about: `A perfect card, and HTTP ${status} with ${reason}, in the form of the version, for every call.`,
    binding,
    carrier: behindCard((_, { dialect }, { seams }) => {
      const data = [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org', metadata: {} },
      ];
      const { value } = seams.httpRefusal(
        lineage(dialect).includes('a2a-1.0') ? { code, message, data } : { code, message },
      );
      return { ...json(value, status), headers: [['content-type', seams.httpType()]] };
    }),
  });

/** Servers of HTTP and JSON behind the card of an agent. */
export const httpJsonMasks: readonly Impostor[] = [
  impostor('card-and-page-404', {
    about: 'A perfect card, and a page that says "not found", with 404, for every path.',
    binding,
    carrier: behindCard(() => text(404, page('404 Not Found'), 'text/html')),
  }),
  impostor('card-and-login', {
    about: 'A perfect card, and a redirect of every call to a page where people sign in.',
    binding,
    carrier: behindCard((request) =>
      new URL(request.url).pathname.endsWith('/login')
        ? text(200, page('Sign in'), 'text/html')
        : withHeader(text(302, page('Found'), 'text/html'), 'location', `${new URL(request.url).origin}/login`),
    ),
  }),
  impostor('card-and-files', {
    about: 'A perfect card on a server of files: 404 for what it does not have, 405 for all but GET.',
    binding,
    carrier: behindCard(({ method }) =>
      method === 'GET' || method === 'HEAD'
        ? text(404, page('404 Not Found'), 'text/html')
        : withHeader(text(405, page('405 Not Allowed'), 'text/html'), 'allow', 'GET, HEAD'),
    ),
  }),
  impostor('card-and-empty-204', {
    about: 'A perfect card, and 204 for every call.',
    binding,
    carrier: behindCard(() => ({ status: 204, headers: [], body: '' })),
  }),
  impostor('card-and-mirror', {
    about: 'A perfect card, and every request repeated as JSON, with the members of its body.',
    binding,
    carrier: behindCard(mirror),
  }),
  impostor('card-and-envelopes', {
    about: 'A perfect card, and answers in the envelopes of JSON-RPC, with 200, on the paths of HTTP+JSON.',
    binding,
    carrier: (context) => createAgent({ ...context, patches: [enveloped] }).handle,
  }),
  impostor('card-and-examples', {
    about: 'A perfect card, and an example of the right form for every operation, always the same.',
    binding,
    carrier: behindCard((request, context, { seams }) => {
      const { pathname } = new URL(request.url);
      try {
        const call = seams.httpCall(request);
        if (call === undefined) return text(404, page('404 Not Found'), 'text/html');
        const example = exampleOf(call.op, context);
        return /:(stream|subscribe)$/.test(pathname) ? streamReply([example]) : json(example);
      } catch {
        return json({ message: 'the request does not fit the description' }, 400);
      }
    }),
  }),
  impostor('card-and-events', {
    about: 'A perfect card, and a stream with one completed task for every call.',
    binding,
    carrier: behindCard((_, context) => streamReply([exampleOf('stream', context)])),
  }),
  impostor('card-and-empty-page', {
    about: 'A perfect card, and a page of no tasks for every call.',
    binding,
    carrier: behindCard(() => json({ tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 })),
  }),
  refusing('card-and-404-task', 404, -32001, 'TASK_NOT_FOUND', 'Task not found'),
  refusing('card-and-400-unsupported', 400, -32004, 'UNSUPPORTED_OPERATION', 'This operation is not supported'),
  impostor('card-and-unavailable', {
    about: 'A perfect card, and the page of a gateway, with 503, for every call.',
    binding,
    carrier: behindCard(() => withHeader(text(503, page('Service Unavailable'), 'text/html'), 'retry-after', '1')),
  }),
];
