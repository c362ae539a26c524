import type { Dialect, ProfileId } from '../dialect/index.js';
import { isObject, type JsonObject, type Operation } from '../model/index.js';

/** Everything in which an agent of one dialect differs from a plain 0.3 agent, beyond what the dialect itself says. */
export interface Spelling {
  readonly cardPaths: readonly string[];
  /** Operations that the dialect can name and its agents do not have. */
  readonly absent: readonly Operation[];
  readonly messageIdRequired: boolean;
  card(document: JsonObject): JsonObject;
  /** `createdAt` in ISO 8601. */
  task(wire: unknown, createdAt: string): unknown;
}

const plain = (dialect: Dialect): Spelling => ({
  cardPaths: dialect.cardPaths.slice(0, 1),
  // 0.3 §3.5.6: no listing over JSON-RPC.
  absent: ['list'],
  messageIdRequired: true,
  card: (document) => document,
  task: (wire) => wire,
});

const deltas: Partial<Record<ProfileId, Partial<Spelling>>> = {
  // Seed 003: the card of a Terminal Bench agent, and the members that its tasks have beyond 0.3.
  'terminal-bench': {
    cardPaths: ['/.well-known/agent-card', '/agent-card'],
    messageIdRequired: false,
    card({ protocolVersion, preferredTransport, defaultInputModes, defaultOutputModes, skills, ...document }) {
      return {
        ...document,
        provider: 'a2a-tck',
        skills: Array.isArray(skills)
          ? skills.map((skill) => ({ ...skill, inputModes: ['text'], outputModes: ['text'] }))
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

export const spellingOf = (dialect: Dialect): Spelling => ({ ...plain(dialect), ...deltas[dialect.id] });
