// A client of A2A 0.3 for `a2a-tck client`, on @a2a-js/sdk 0.3.x:
//   npm install @a2a-js/sdk@0.3.14
//   npx a2a-tck@0.1.0 client --profile a2a-0.3 --command "node a2a-js-0.3.mjs"
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  ServiceParameters,
  withA2AExtensions,
} from '@a2a-js/sdk/client';

const url = process.argv.at(-1);
const errand = JSON.parse(process.env.A2A_CONTEXT ?? '{"do":"send","text":"Hello"}');
const { credentials = {} } = errand;

/** Headers of the credentials for the schemes that the card names. */
let headers = { ...errand.headers };
const withHeaders = (input, init = {}) => {
  const all = new Headers(init.headers);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return fetch(input, { ...init, headers: all });
};

function learn(card) {
  for (const [name, scheme] of Object.entries(card.securitySchemes ?? {})) {
    const secret = credentials[name];
    if (secret === undefined) continue;
    if (scheme.type === 'apiKey' && scheme.in === 'header') headers = { ...headers, [scheme.name]: secret };
    else if (scheme.type === 'apiKey' && scheme.in === 'cookie')
      headers = { ...headers, cookie: `${scheme.name}=${secret}` };
    else if (scheme.type === 'apiKey') unsupported('a key in the query');
    else if (scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic')
      headers = { ...headers, authorization: `Basic ${Buffer.from(secret).toString('base64')}` };
    else headers = { ...headers, authorization: `Bearer ${secret}` };
  }
}

function unsupported(what) {
  console.log(JSON.stringify({ unsupported: what }));
  process.exit(0);
}

async function connected() {
  const factories = {
    JSONRPC: () => new JsonRpcTransportFactory({ fetchImpl: withHeaders }),
    'HTTP+JSON': () => new RestTransportFactory({ fetchImpl: withHeaders }),
    GRPC: async () => new (await import('@a2a-js/sdk/client/grpc')).GrpcTransportFactory(),
  };
  const transport = await factories[process.env.A2A_BINDING ?? 'JSONRPC']();
  const card = await new DefaultAgentCardResolver().resolve(url);
  learn(card);
  return new ClientFactory({ transports: [transport] }).createFromAgentCard(card);
}

const request = (text, { contextId, taskId } = {}) => ({
  message: {
    kind: 'message',
    messageId: crypto.randomUUID(),
    role: 'user',
    parts: [{ kind: 'text', text }],
    ...(contextId === undefined ? {} : { contextId }),
    ...(taskId === undefined ? {} : { taskId }),
  },
});

const textOf = (parts = []) => parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
const settled = new Set(['completed', 'failed', 'canceled', 'rejected', 'input-required']);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What is known of one answer: of a task or a message, or of the events of a stream. */
const known = { artifacts: new Map(), states: [] };

function take(event) {
  if (event?.kind === 'message') Object.assign(known, { text: textOf(event.parts), contextId: event.contextId });
  else if (event?.kind === 'task') takeTask(event);
  else if (event?.kind === 'status-update') takeStatus(event.taskId, event.contextId, event.status);
  else if (event?.kind === 'artifact-update') {
    const { artifact, append } = event;
    const before = append ? (known.artifacts.get(artifact.artifactId) ?? '') : '';
    known.artifacts.set(artifact.artifactId, before + textOf(artifact.parts));
  }
}

function takeStatus(taskId, contextId, status) {
  if (settled.has(known.state) && known.state !== 'input-required') return;
  Object.assign(known, { taskId, contextId, state: status?.state, words: textOf(status?.message?.parts) });
  known.states.push(status?.state);
}

function takeTask(task) {
  takeStatus(task.id, task.contextId, task.status);
  known.artifacts = new Map((task.artifacts ?? []).map((one) => [one.artifactId, textOf(one.parts)]));
}

async function followed(client) {
  while (known.taskId !== undefined && !settled.has(known.state)) {
    await wait(300);
    takeTask(await client.getTask({ id: known.taskId }));
  }
}

async function run(client) {
  if (errand.trusted !== undefined) unsupported('signatures of cards');
  const extensions = errand.extensions ?? [];
  const options =
    extensions.length === 0
      ? undefined
      : { serviceParameters: ServiceParameters.create(withA2AExtensions(...extensions)) };
  switch (errand.do) {
    case 'send':
      take(await client.sendMessage(request(errand.text), options));
      return followed(client);
    case 'stream':
      for await (const event of client.sendMessageStream(request(errand.text), options)) take(event);
      return;
    case 'subscribe':
      for await (const event of client.resubscribeTask({ id: errand.taskId })) take(event);
      return;
    case 'converse':
      for (const text of errand.texts) {
        const isWaiting = known.state === 'input-required';
        const talk = { contextId: known.contextId, taskId: isWaiting ? known.taskId : undefined };
        known.state = undefined;
        take(await client.sendMessage(request(text, talk), options));
        await followed(client);
      }
      return;
    case 'get': {
      const { historyLength } = errand;
      const query = { id: errand.taskId, ...(historyLength === undefined ? {} : { historyLength }) };
      return takeTask(await client.getTask(query));
    }
    case 'cancel':
      return takeTask(await client.cancelTask({ id: errand.taskId }));
    case 'list-configs':
      known.ids = (await client.listTaskPushNotificationConfig({ id: errand.taskId })).map(
        ({ pushNotificationConfig }) => pushNotificationConfig.id,
      );
      return;
    case 'extended-card':
      await client.getAgentCard();
      take(await client.sendMessage(request(errand.text), options));
      return followed(client);
    default:
      unsupported(`the errand ${errand.do}`);
  }
}

try {
  await run(await connected());
  const { artifacts, words = '', ...rest } = known;
  const text = rest.text ?? [...artifacts.values(), words].filter((one) => one !== '').join('\n');
  console.log(JSON.stringify({ ...rest, text }));
} catch (error) {
  const { name, message, code, errorResponse } = error;
  console.log(JSON.stringify({ error: { name, code: code ?? errorResponse?.error?.code, message } }));
  process.exitCode = 1;
}
