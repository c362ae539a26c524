// A client of A2A 0.2 for `a2a-tck client`, on @a2a-js/sdk 0.2.x:
//   npm install @a2a-js/sdk@0.2.5
//   npx a2a-tck@0.1.0 client --profile a2a-0.2 --command "node a2a-js-0.2.mjs"
import { A2AClient } from '@a2a-js/sdk/client';

const url = process.argv.at(-1);
const errand = JSON.parse(process.env.A2A_CONTEXT ?? '{"do":"send","text":"Hello"}');

function unsupported(what) {
  console.log(JSON.stringify({ unsupported: what }));
  process.exit(0);
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

/** This version of the library returns errors of JSON-RPC in place of results. */
function resultOf(response) {
  if (response.error === undefined) return response.result;
  throw Object.assign(new Error(response.error.message), { code: response.error.code });
}

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
    takeTask(resultOf(await client.getTask({ id: known.taskId })));
  }
}

async function run(client) {
  if (errand.credentials !== undefined) unsupported('credentials');
  if (errand.headers !== undefined) unsupported('headers of the user');
  if (errand.extensions !== undefined) unsupported('extensions');
  if (errand.trusted !== undefined) unsupported('signatures of cards');
  switch (errand.do) {
    case 'send':
      take(resultOf(await client.sendMessage(request(errand.text))));
      return followed(client);
    case 'stream':
      for await (const event of client.sendMessageStream(request(errand.text))) take(event);
      return;
    case 'subscribe':
      for await (const event of client.resubscribeTask({ id: errand.taskId })) take(event);
      return;
    case 'converse':
      for (const text of errand.texts) {
        const isWaiting = known.state === 'input-required';
        const talk = { contextId: known.contextId, taskId: isWaiting ? known.taskId : undefined };
        known.state = undefined;
        take(resultOf(await client.sendMessage(request(text, talk))));
        await followed(client);
      }
      return;
    case 'get': {
      const { historyLength } = errand;
      const query = { id: errand.taskId, ...(historyLength === undefined ? {} : { historyLength }) };
      return takeTask(resultOf(await client.getTask(query)));
    }
    case 'cancel':
      return takeTask(resultOf(await client.cancelTask({ id: errand.taskId })));
    default:
      unsupported(`the errand ${errand.do}`);
  }
}

try {
  await run(new A2AClient(url));
  const { artifacts, words = '', ...rest } = known;
  const text = rest.text ?? [...artifacts.values(), words].filter((one) => one !== '').join('\n');
  console.log(JSON.stringify({ ...rest, text }));
} catch (error) {
  const { name, message, code } = error;
  console.log(JSON.stringify({ error: { name, code, message } }));
  process.exitCode = 1;
}
