import type { PushConfig, TaskPushConfig } from '../model/index.js';
import type { Header } from '../wire/index.js';
import type { Command, Outcome } from './calls.js';
import { RpcFailure } from './failure.js';
import type { Seams, World } from './seams.js';
import { permits, type WebhookHosts } from './webhooks.js';

/** 1.0 §4.3.3 advises 10 to 30 seconds. */
const patienceMs = 10_000;
/** Most bytes of notifications that wait for their webhook; later ones are not sent. */
const mostWaiting = 16 << 20;

export type PushSeams = Pick<Seams, 'permitsWebhook' | 'recipients' | 'notification' | 'deliver'>;
type PushCommand = Extract<Command, { readonly op: 'pushSet' | 'pushGet' | 'pushList' | 'pushDelete' }>;

export const isPushCommand = (command: Command): command is PushCommand => command.op.startsWith('push');

export interface Push {
  readonly seams: PushSeams;
  /** Called when the task exists, and the caller may know of it. */
  execute(command: PushCommand): Outcome;
  /** A configuration that came with a message. */
  register(taskId: string, config: PushConfig): PushConfig;
  /** Aborts the notifications that are on their way. */
  stop(): void;
}

/** 0.3 §9.5, 1.0 §4.3. */
export function createPush(world: World, whole: Seams, hosts: WebhookHosts): Push {
  const { clock, dialect, outbound, spelling, store } = world;
  const open = new Set<AbortController>();
  /** Notifications of one configuration are sent one after the other, so that they arrive in order. */
  const lines = new Map<string, Promise<void>>();
  /** Bytes of notifications that are not sent yet. */
  let waiting = 0;

  store.watchAll((task, event) => {
    for (const config of whole.recipients(event, task)) {
      const request = whole.notification(event, task, config);
      if (request === undefined) continue;
      const size = request.body?.length ?? 0;
      if (waiting + size > mostWaiting) continue;
      waiting += size;
      const line = JSON.stringify([task.id, config.id]);
      const next = (lines.get(line) ?? Promise.resolve()).then(() => {
        // The configuration may have been deleted in the meantime (1.0 §3.1.10: no further notifications).
        const meant = whole.recipients(event, task).some(({ id }) => id === config.id);
        return meant ? whole.deliver(request, config) : undefined;
      });
      const sent = (): void => {
        waiting -= size;
      };
      next.then(sent, sent);
      lines.set(line, next);
      void next.then(() => (lines.get(line) === next ? lines.delete(line) : false));
    }
  });

  function register(taskId: string, config: PushConfig): PushConfig {
    const named = { ...config, id: config.id || whole.id('config') };
    store.putConfig(taskId, named);
    return named;
  }

  return {
    register,
    execute({ op, params }) {
      const { taskId } = params;
      const shown = (config: PushConfig): TaskPushConfig => ({ taskId, config });
      switch (op) {
        case 'pushSet':
          return { op, result: shown(register(taskId, params.config)) };
        case 'pushList':
          return { op, result: store.configs(taskId).map(shown) };
        case 'pushGet': {
          const { configId } = params;
          const config = store.configs(taskId).find(({ id }) => configId === undefined || id === configId);
          if (config === undefined) throw new RpcFailure('TaskNotFound', 'no such push notification configuration');
          return { op, result: shown(config) };
        }
        case 'pushDelete':
          store.removeConfig(taskId, params.configId ?? '');
          return { op, result: null };
      }
    },
    stop() {
      for (const patience of open) patience.abort();
    },
    seams: {
      permitsWebhook: (url) => permits(hosts, url),
      recipients: (event, task) => (event.type === 'status' ? store.configs(task.id) : []),
      notification(event, task, config) {
        if (event.type === 'message') return undefined;
        return {
          method: 'POST',
          url: config.url,
          headers: noticeHeaders(config, spelling.noticeType),
          body: new TextEncoder().encode(JSON.stringify(spelling.notice(event, task, dialect))),
        };
      },
      // One attempt, without a retry. Redirects are not followed: the client must correct its URL.
      async deliver(request) {
        if (outbound === undefined) return;
        const patience = new AbortController();
        const stop = clock.after(patienceMs, () => patience.abort());
        open.add(patience);
        try {
          const given = new Promise<void>((resolve) => patience.signal.addEventListener('abort', () => resolve()));
          await Promise.race([attempt(outbound(request, patience.signal)), given]);
        } catch {
          // The task goes on without its webhook.
        } finally {
          stop();
          open.delete(patience);
          patience.abort();
        }
      },
    },
  };
}

/** Reads at most 64 KiB of the answer, so that the connection is free again. */
async function attempt(answer: Promise<{ readonly body: AsyncIterable<Uint8Array> }>): Promise<void> {
  let size = 0;
  for await (const { byteLength } of (await answer).body) {
    size += byteLength;
    if (size > 64 * 1024) return;
  }
}

function noticeHeaders({ token, authentication }: PushConfig, type: string): readonly Header[] {
  const { schemes = [], credentials } = authentication ?? {};
  const preferred = schemes.find((scheme) => scheme.toLowerCase() === 'bearer') ?? schemes[0];
  return [
    ['content-type', type],
    ...(token === undefined ? [] : [['x-a2a-notification-token', token] as const]),
    ...(preferred === undefined || credentials === undefined
      ? []
      : [['authorization', `${preferred} ${credentials}`] as const]),
  ];
}
