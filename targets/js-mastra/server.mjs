// An agent of Mastra as its users write one: a stub in place of a model, the server of @mastra/hono on Hono. PORT in the
// environment. The card is at /api/.well-known/words/agent-card.json.
import { serve } from '@hono/node-server';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MastraServer } from '@mastra/hono';
import { InMemoryTaskStore } from '@mastra/server/a2a/store';
import { Hono } from 'hono';
import { model } from './model.mjs';

const port = Number(process.env.PORT ?? 4191);
const words = new Agent({
  id: 'words',
  name: 'Words',
  description: 'Does what words ask for.',
  instructions: 'Say it again.',
  model,
});
const app = new Hono();
const server = new MastraServer({
  app,
  mastra: new Mastra({ agents: { words }, logger: false }),
  taskStore: new InMemoryTaskStore(),
});
await server.init();
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
