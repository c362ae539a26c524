// An agent of VoltAgent as its users write one: a stub in place of a model, A2AServer on its server of Hono. PORT in the
// environment. The card is at /.well-known/words/agent-card.json.
import { A2AServer } from '@voltagent/a2a-server';
import { Agent, VoltAgent } from '@voltagent/core';
import { honoServer } from '@voltagent/server-hono';
import { model } from './model.mjs';

const port = Number(process.env.PORT ?? 4192);
const words = new Agent({ id: 'words', name: 'Words', instructions: 'Say it again.', model });
const a2aServer = new A2AServer({ name: 'words', version: '1.0.0', agents: { words } });
new VoltAgent({ agents: { words }, a2aServers: { a2aServer }, server: honoServer({ port, hostname: '127.0.0.1' }) });
