import { isObject, type JsonObject } from '../model/index.js';
import { problems03 } from './params-0.3.js';
import { edited, without } from './paths.js';
import { placesOf } from './places.js';
import type { AgentTraits } from './spelling.js';

const week = 7 * 24 * 60 * 60 * 1000;

const bare = { task: '', message: '', status: '', artifact: '' };
const wrappers = { wrapper: bare, eventWrapper: { ...bare, task: 'task', message: 'message' } };

const pick = (value: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name]]] : [])));

/** The agent's own messages have a role and parts; those of the client are shown as they came. */
const spoken = (message: unknown): unknown =>
  isObject(message) && message['role'] === 'agent' ? pick(message, 'role', 'parts', 'metadata') : message;

/** How an agent of the OpenClaw design differs from 0.3. */
export const spellingOpenclaw: Partial<AgentTraits> = {
  absent: ['subscribe'],
  // "Accept all, process sequentially. Queued tasks return submitted."
  patienceMs: 0,
  queue: true,
  // "7-day TTL for completed/failed tasks"
  keepMs: week,
  ...wrappers,
  repliesByMessage: false,
  answerInHistory: true,
  problems: problems03({ messageIdRequired: false, partTag: 'type' }),
  card({ protocolVersion, preferredTransport, securitySchemes, security, capabilities, skills, ...document }) {
    return {
      ...document,
      capabilities: { ...(isObject(capabilities) ? capabilities : {}), stateTransitionHistory: true },
      defaultInputModes: ['text'],
      defaultOutputModes: ['text'],
      skills: Array.isArray(skills) ? skills.map((skill) => pick(skill, 'id', 'name', 'description')) : skills,
    };
  },
  result(wire, outcome) {
    const { messages, artifacts, statusUpdates, artifactUpdates } = placesOf(outcome, wrappers);
    const edits: readonly (readonly [readonly string[], (value: unknown) => unknown])[] = [
      [messages, spoken],
      [artifacts, (artifact) => without(artifact, 'artifactId')],
      [[...statusUpdates, ...artifactUpdates], (update) => without(update, 'contextId')],
      [artifactUpdates, (update) => without(without(update, 'append'), 'lastChunk')],
    ];
    return edits.reduce((value, [paths, edit]) => paths.reduce((item, path) => edited(item, path, edit), value), wire);
  },
};
