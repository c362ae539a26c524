import { isObject, type JsonObject, member } from '../../model/index.js';
import { type Agent, createAgent } from '../agent.js';
import type { Incoming, Reply } from '../calls.js';
import { carry } from '../carrier.js';
import { jsonHeaders, peek } from '../http.js';
import type { Impostor, ImpostorContext } from '../impostor.js';

export type Answer = (request: Incoming, context: ImpostorContext, agent: Agent) => Reply | Promise<Reply>;

export const json = (value: unknown, status = 200): Reply => ({
  status,
  headers: jsonHeaders,
  body: JSON.stringify(value),
});
export const text = (status: number, body: string, type = 'text/plain'): Reply => ({
  status,
  headers: [['content-type', type]],
  body,
});

/** One answer to everything, the card included. */
export const everywhere =
  (answer: Answer): Impostor['carrier'] =>
  (context) => {
    const agent = createAgent(context);
    return carry(async (request) => answer(request, context, agent));
  };

/** The perfect card of an agent, and this answer to everything else. */
export const behindCard =
  (answer: Answer): Impostor['carrier'] =>
  (context) => {
    const agent = createAgent(context);
    return carry(async (request) =>
      agent.seams.route(request) === 'card' ? agent.seams.serve(request) : answer(request, context, agent),
    );
  };

export const idOf = (request: Incoming): unknown => member(peek(request), 'id') ?? null;

export const result = (request: Incoming, value: unknown): Reply =>
  json({ jsonrpc: '2.0', id: idOf(request), result: value });
export const error = (request: Incoming, code: number, message: string): Reply =>
  json({ jsonrpc: '2.0', id: idOf(request), error: { code, message } });

/** The request as it came. */
export const echo = (request: Incoming): Reply => {
  const sent = peek(request);
  return isObject(sent) || Array.isArray(sent) ? json(sent) : text(200, Buffer.from(request.body ?? []).toString());
};

export const aTask = ({ clock }: ImpostorContext): JsonObject => ({
  kind: 'task',
  id: '11111111-1111-4111-8111-111111111111',
  contextId: '22222222-2222-4222-8222-222222222222',
  status: { state: 'completed', timestamp: new Date(clock.now()).toISOString() },
  artifacts: [{ artifactId: '33333333-3333-4333-8333-333333333333', parts: [{ kind: 'text', text: 'Done.' }] }],
});

export const aMessage = (): JsonObject => ({
  kind: 'message',
  messageId: '44444444-4444-4444-8444-444444444444',
  contextId: '22222222-2222-4222-8222-222222222222',
  role: 'agent',
  parts: [{ kind: 'text', text: 'Yes.' }],
});
