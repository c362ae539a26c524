import { isObject, type JsonObject, type Operation } from '../../../src/model/index.js';
import {
  type AgentTraits,
  aString,
  being,
  canonical,
  edited,
  type Problem,
  placesOf,
  problems03,
  shapeWhere,
} from '../../../src/reference/patching.js';
import type { XprSettings } from './settings.js';

const bare = { task: '', message: '', status: '', artifact: '' };
const params03 = problems03({ messageIdRequired: false, partTag: 'type' });

const pick = (value: unknown, ...names: readonly string[]): unknown =>
  isObject(value)
    ? Object.fromEntries(names.flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name]]] : [])))
    : value;
const listed = (value: unknown, edit: (item: unknown, index: number) => unknown): unknown =>
  Array.isArray(value) ? value.map(edit) : value;

const parts = (value: unknown): unknown => listed(value, (part) => pick(part, 'type', 'text', 'file', 'data'));
const message = (value: unknown): unknown => edited(pick(value, 'role', 'parts'), 'parts', parts);
/** XPR document, Methods: an artifact has parts and its place among the others. */
const artifacts = (value: unknown): unknown =>
  listed(value, (artifact, index) => ({ ...(edited(pick(artifact, 'parts'), 'parts', parts) as JsonObject), index }));
/** XPR document, Methods: a task has an id, a status and artifacts. */
const task = (value: unknown): unknown =>
  edited(edited(pick(value, 'id', 'status', 'artifacts'), 'artifacts', artifacts), 'status', (status) =>
    edited(pick(status, 'state', 'message', 'timestamp'), 'message', message),
  );

/** XPR document, XPR Request Extensions; the id and the context of a task stand beside the message. */
const extensions = shapeWhere(() => true)({
  'id?': aString,
  'contextId?': aString,
  'xpr:callerAccount?': aString,
  'metadata?': shapeWhere(() => true)({ 'xpr:jobId?': being('a number', (value) => typeof value === 'number') }),
});
function problems(op: Operation, wire: unknown, dialect: Parameters<AgentTraits['problems']>[2]): readonly Problem[] {
  const found = params03(op, wire, dialect);
  if (op !== 'send' || !isObject(wire)) return found;
  return [...found, ...canonical(extensions(wire, 'params'), { id: 'message.taskId', contextId: 'message.contextId' })];
}

/** How an agent of the XPR document differs from 0.3. */
export const spelledXpr = (settings: () => XprSettings): Partial<AgentTraits> => ({
  cardPaths: ['/.well-known/agent.json'],
  authenticates: 'calls',
  wrapper: bare,
  repliesByMessage: false,
  // The document has no error for this; -32002 is about canceling. "Bad parameters" fits: the id names a task that
  // takes no more messages.
  finished: 'InvalidParams',
  problems,
  // This dialect has no error for files of a type that the agent does not accept.
  mediaTypes: () => [],
  // XPR document, Task Lifecycle: these states are not among them.
  state: (state) => (state === 'rejected' ? 'failed' : state === 'auth-required' ? 'input-required' : state),
  card({ protocolVersion, preferredTransport, securitySchemes, security, skills, capabilities, ...document }) {
    return {
      ...document,
      capabilities: { ...(isObject(capabilities) ? capabilities : {}), stateTransitionHistory: false },
      defaultInputModes: ['text'],
      defaultOutputModes: ['text'],
      skills: listed(skills, (skill) => pick(skill, 'id', 'name', 'description', 'tags')),
      'xpr:account': settings().account,
      'xpr:protocol': 'https',
      'xpr:trustScore': 18,
      'xpr:kycLevel': 1,
      'xpr:registeredAt': 1704067200,
      'xpr:owner': 'alice',
    };
  },
  result: (wire, outcome) =>
    placesOf(outcome, { wrapper: bare }).tasks.reduce((value, path) => edited(value, path, task), wire),
});
