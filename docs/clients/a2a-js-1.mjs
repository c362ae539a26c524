// A client of A2A 1.0 for `a2a-tck client`, on @a2a-js/sdk 1.x:
//   npm install @a2a-js/sdk@1.3.0
//   npx a2a-tck@0.1.0 client --command "node a2a-js-1.mjs"
import { Role, TaskState, taskStateToJSON, verifyAgentCardSignature } from '@a2a-js/sdk';
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
  for (const [name, { scheme }] of Object.entries(card.securitySchemes ?? {})) {
    const secret = credentials[name];
    if (secret === undefined || scheme === undefined) continue;
    const { $case, value } = scheme;
    if ($case === 'apiKeySecurityScheme' && value.location === 'header') headers = { ...headers, [value.name]: secret };
    else if ($case === 'apiKeySecurityScheme' && value.location === 'cookie')
      headers = { ...headers, cookie: `${value.name}=${secret}` };
    else if ($case === 'apiKeySecurityScheme') unsupported('a key in the query');
    else if ($case === 'httpAuthSecurityScheme' && value.scheme.toLowerCase() === 'basic')
      headers = { ...headers, authorization: `Basic ${Buffer.from(secret).toString('base64')}` };
    else headers = { ...headers, authorization: `Bearer ${secret}` };
  }
}

function unsupported(what) {
  console.log(JSON.stringify({ unsupported: what }));
  process.exit(0);
}

/** Throws unless one of the keys that the user trusts has signed the card. */
async function trusting(card) {
  for (const key of errand.trusted) {
    const isRight = await verifyAgentCardSignature(async () => key)(card).then(
      () => true,
      () => false,
    );
    if (isRight) return;
  }
  throw new Error('no signature of the card is right');
}

async function connected() {
  const factories = {
    JSONRPC: () => new JsonRpcTransportFactory({ fetchImpl: withHeaders }),
    'HTTP+JSON': () => new RestTransportFactory({ fetchImpl: withHeaders }),
    GRPC: async () => new (await import('@a2a-js/sdk/client/grpc')).GrpcTransportFactory(),
  };
  const transport = await factories[process.env.A2A_BINDING ?? 'JSONRPC']();
  const card = await new DefaultAgentCardResolver().resolve(url);
  if (errand.trusted !== undefined) await trusting(card);
  learn(card);
  return new ClientFactory({ transports: [transport] }).createFromAgentCard(card);
}

const message = (text, talk = {}) => ({
  messageId: crypto.randomUUID(),
  contextId: talk.contextId ?? '',
  taskId: talk.taskId ?? '',
  role: Role.ROLE_USER,
  parts: [{ content: { $case: 'text', value: text }, mediaType: '', filename: '', metadata: undefined }],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});
const request = (text, talk) => ({
  tenant: '',
  message: message(text, talk),
  configuration: undefined,
  metadata: undefined,
});

const textOf = (parts = []) => parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
const settled = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
  TaskState.TASK_STATE_INPUT_REQUIRED,
]);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What is known of one answer: of a task or a message, or of the events of a stream. */
const known = { artifacts: new Map(), states: [] };

function take({ $case, value } = {}) {
  if ($case === 'message') Object.assign(known, { text: textOf(value.parts), contextId: value.contextId });
  else if ($case === 'task') takeTask(value);
  else if ($case === 'statusUpdate') takeStatus(value.taskId, value.contextId, value.status);
  else if ($case === 'artifactUpdate') {
    const { artifact, append } = value;
    const before = append ? (known.artifacts.get(artifact.artifactId) ?? '') : '';
    known.artifacts.set(artifact.artifactId, before + textOf(artifact.parts));
  }
}

function takeStatus(taskId, contextId, status) {
  if (known.state !== undefined && settled.has(known.state) && known.state !== TaskState.TASK_STATE_INPUT_REQUIRED)
    return;
  Object.assign(known, { taskId, contextId, state: status?.state, words: textOf(status?.message?.parts) });
  known.states.push(taskStateToJSON(status?.state));
}

function takeTask(task) {
  takeStatus(task.id, task.contextId, task.status);
  known.artifacts = new Map((task.artifacts ?? []).map((one) => [one.artifactId, textOf(one.parts)]));
}

/** A send is answered by the task or the message itself. */
const takeReply = (reply) => take({ $case: 'status' in reply ? 'task' : 'message', value: reply });

async function followed(client, options) {
  while (known.taskId !== undefined && !settled.has(known.state)) {
    await wait(300);
    takeTask(await client.getTask({ tenant: '', id: known.taskId, historyLength: undefined }, options));
  }
}

async function run(client) {
  // Over gRPC there is no fetch that adds headers: credentials are metadata of each call.
  const metadata = process.env.A2A_BINDING === 'GRPC' ? headers : {};
  const wanted = withA2AExtensions(...(errand.extensions ?? []));
  const serviceParameters =
    errand.extensions === undefined ? { ...metadata } : ServiceParameters.createFrom({ ...metadata }, wanted);
  const options = { serviceParameters };
  switch (errand.do) {
    case 'send':
      takeReply(await client.sendMessage(request(errand.text), options));
      return followed(client, options);
    case 'stream':
      for await (const { payload } of client.sendMessageStream(request(errand.text), options)) take(payload);
      return;
    case 'subscribe':
      for await (const { payload } of client.resubscribeTask({ tenant: '', id: errand.taskId }, options)) take(payload);
      return;
    case 'converse':
      for (const text of errand.texts) {
        const isWaiting = known.state === TaskState.TASK_STATE_INPUT_REQUIRED;
        const talk = { contextId: known.contextId, taskId: isWaiting ? known.taskId : undefined };
        known.state = undefined;
        takeReply(await client.sendMessage(request(text, talk), options));
        await followed(client, options);
      }
      return;
    case 'get':
      return takeTask(
        await client.getTask({ tenant: '', id: errand.taskId, historyLength: errand.historyLength }, options),
      );
    case 'cancel':
      return takeTask(await client.cancelTask({ tenant: '', id: errand.taskId, metadata: undefined }, options));
    case 'list': {
      const { contextId = '', pageSize, updatedAfter, state } = errand.filter ?? {};
      known.ids = [];
      let pageToken = '';
      do {
        const status = state === undefined ? TaskState.TASK_STATE_UNSPECIFIED : TaskState[state];
        const ask = { tenant: '', contextId, status, pageToken, pageSize, statusTimestampAfter: updatedAfter };
        const page = await client.listTasks(ask, options);
        known.ids.push(...page.tasks.map(({ id }) => id));
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      return;
    }
    case 'list-configs': {
      const { size = 0, token = '' } = errand.page ?? {};
      const ask = { tenant: '', taskId: errand.taskId, pageSize: size, pageToken: token };
      known.ids = (await client.listTaskPushNotificationConfig(ask, options)).configs.map(({ id }) => id);
      return;
    }
    case 'extended-card':
      await client.getAgentCard(options);
      takeReply(await client.sendMessage(request(errand.text), options));
      return followed(client, options);
    default:
      unsupported(`the errand ${errand.do}`);
  }
}

try {
  await run(await connected());
  const { artifacts, words = '', state, states, ...rest } = known;
  const text = rest.text ?? [...artifacts.values(), words].filter((one) => one !== '').join('\n');
  console.log(
    JSON.stringify({ ...rest, text, states, ...(state === undefined ? {} : { state: taskStateToJSON(state) }) }),
  );
} catch (error) {
  const { name, message, code, reason } = error;
  console.log(JSON.stringify({ error: { name, code, reason, message } }));
  process.exitCode = 1;
}
