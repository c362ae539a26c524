// An agent of @a2a-js/sdk 0.2.5 as its users write one: JSON-RPC on its Express app. PORT in the environment.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { A2AExpressApp, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import express from 'express';

class Words {
  #canceled = new Set();

  async execute({ taskId, contextId, userMessage, task }, bus) {
    const parts = Array.isArray(userMessage.parts) ? userMessage.parts : [];
    const said = parts.map((one) => (one.kind === 'text' ? one.text : '')).join(' ');
    const has = (word) => said.toLowerCase().includes(word);
    const say = (words) => ({
      kind: 'message',
      messageId: randomUUID(),
      role: 'agent',
      parts: [{ kind: 'text', text: words }],
      taskId,
      contextId,
    });
    const timestamp = () => new Date().toISOString();
    const status = (state, words) =>
      bus.publish({
        kind: 'status-update',
        taskId,
        contextId,
        status: { state, timestamp: timestamp(), ...(words === undefined ? {} : { message: say(words) }) },
        final: state !== 'working',
      });
    const artifact = (part, artifactId = randomUUID(), append = false, lastChunk = true) =>
      bus.publish({
        kind: 'artifact-update',
        taskId,
        contextId,
        artifact: { artifactId, name: 'answer', parts: [part] },
        append,
        lastChunk,
      });
    const isCanceled = async (ms) => {
      for (let left = ms; left > 0 && !this.#canceled.has(taskId); left -= 50) await sleep(50);
      if (!this.#canceled.delete(taskId)) return false;
      status('canceled', 'Canceled.');
      return true;
    };
    const work = async () => {
      if (has('message only')) {
        const { taskId: _, ...direct } = say('Just a message.');
        return bus.publish(direct);
      }
      if (task === undefined)
        bus.publish({
          kind: 'task',
          id: taskId,
          contextId,
          status: { state: 'submitted', timestamp: timestamp() },
          history: [userMessage],
        });
      status('working');
      if (task === undefined && has('ask me')) return status('input-required', 'Which colour?');
      if (task === undefined && has('sign in')) return status('auth-required', 'Please sign in.');
      if (has('fail')) return status('failed', 'It failed.');
      if (has('reject')) return status('rejected', 'Not for me.');
      if (has('work long') && (await isCanceled(20_000))) return;
      else if (has('slow'))
        for (let step = 1; step <= 6; step++) {
          if (await isCanceled(500)) return;
          status('working', `Step ${step}`);
        }
      const file = (more) => ({ kind: 'file', file: more });
      if (has('piece')) {
        const id = randomUUID();
        for (const [at, text] of ['one ', 'two ', 'three '].entries()) {
          artifact({ kind: 'text', text }, id, at > 0, at === 2);
          if (await isCanceled(50)) return;
        }
      } else if (has('link')) artifact(file({ uri: 'https://example.com/dot.png', mimeType: 'image/png' }));
      else if (has('file')) artifact(file({ bytes: btoa('hello'), name: 'hello.txt', mimeType: 'text/plain' }));
      else if (has('data')) artifact({ kind: 'data', data: { answer: 42 } });
      else artifact({ kind: 'text', text: `You said: ${said}` });
      status('completed', 'Done.');
    };
    await work();
    bus.finished();
  }

  cancelTask = async (taskId) => {
    this.#canceled.add(taskId);
  };
}

const port = Number(process.env.PORT ?? 4155);
const card = {
  protocolVersion: '0.2.6',
  name: 'Words',
  description: 'Does what words ask for.',
  version: '1.0.0',
  url: `http://127.0.0.1:${port}/`,
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [{ id: 'words', name: 'Words', description: 'Does what words ask for.', tags: ['words'] }],
};
const app = express();
new A2AExpressApp(new DefaultRequestHandler(card, new InMemoryTaskStore(), new Words())).setupRoutes(app);
app.listen(port, '127.0.0.1');
