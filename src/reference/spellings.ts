import { type Dialect, lineage, type ProfileId, paramsFrom } from '../dialect/index.js';
import { isObject } from '../model/index.js';
import { mediaTypes03, problems03 } from './params-0.3.js';
import type { AgentTraits } from './spelling.js';
import { spelling10 } from './spelling-1.0.js';
import { spellingOpenclaw } from './spelling-openclaw.js';

const plain = (dialect: Dialect): AgentTraits => ({
  cardPaths: dialect.cardPaths.slice(0, 1),
  // 0.3 §3.5.6: no listing over JSON-RPC.
  absent: ['list'],
  protocolVersion: dialect.protocolVersion ?? '0.3.0',
  capabilities: {},
  authenticates: 'requests',
  versions: undefined,
  extensionHeaders: [dialect.extensionHeader],
  undeclared: {
    streaming: 'UnsupportedOperation',
    push: 'PushNotificationNotSupported',
    extendedCard: 'ExtendedCardNotConfigured',
  },
  // AMB03-07: both waiting and not waiting are right.
  patienceMs: 5000,
  queue: false,
  keepMs: Number.POSITIVE_INFINITY,
  // AMB03-10: either is right.
  refusesFinished: false,
  // §7.1 demands an error and names none (AMB03-04). The request itself is well-formed, so neither -32600 nor -32602
  // fits; "a specific aspect of it (perhaps implied by parameters) is not supported" (§8.2) does, and 1.0 §3.1.1 chose
  // the same.
  finished: 'UnsupportedOperation',
  cardMaxAge: undefined,
  wrapper: { task: '', message: '', status: '', artifact: '' },
  repliesByMessage: true,
  answerInHistory: false,
  noticeType: 'application/json',
  httpErrors: 'code',
  httpParams: paramsFrom,
  given: (params) => params,
  problems: problems03({ messageIdRequired: true, partTag: 'kind' }),
  mediaTypes: mediaTypes03,
  details: () => undefined,
  // 0.3 §9.5: the example sends the Task (AMB03-12).
  notice: (_, task, { operations }) => operations.get.result.encode(task as never),
  state: (state) => state,
  card: (document) => document,
  task: (wire) => wire,
  result: (wire) => wire,
});

const deltas: Partial<Record<ProfileId, Partial<AgentTraits> | ((dialect: Dialect) => Partial<AgentTraits>)>> = {
  'a2a-1.0': spelling10,
  openclaw: spellingOpenclaw,
  // Terminal Bench document: the card of a Terminal Bench agent, and the members that its tasks have beyond 0.3.
  'terminal-bench': {
    cardPaths: ['/.well-known/agent-card', '/agent-card'],
    repliesByMessage: false,
    problems: problems03({ messageIdRequired: false, partTag: 'kind' }),
    card({ protocolVersion, preferredTransport, defaultInputModes, defaultOutputModes, skills, ...document }) {
      return {
        ...document,
        provider: 'a2a-tck',
        skills: Array.isArray(skills)
          ? skills.map((skill) => ({
              ...skill,
              inputModes: ['text'],
              outputModes: ['text'],
              examples: ['Find large files.'],
            }))
          : skills,
        capabilities: { streaming: false, pushNotifications: false, longRunningTasks: true },
        metadata: { model: 'none', framework: 'a2a-tck', a2a_version: '1.0' },
      };
    },
    task(wire, createdAt) {
      if (!isObject(wire)) return wire;
      const status = wire['status'];
      return { ...wire, createdAt, updatedAt: (isObject(status) ? status['timestamp'] : undefined) ?? createdAt };
    },
  },
};

export const spellingOf = (dialect: Dialect): AgentTraits =>
  Object.assign(
    plain(dialect),
    ...lineage(dialect)
      .toReversed()
      .map((id) => deltas[id])
      .map((delta) => (typeof delta === 'function' ? delta(dialect) : delta)),
  );
