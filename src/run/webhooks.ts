import type { Target } from '../kit/index.js';
import { TckError } from '../model/index.js';
import { type Clock, createReceiver, type OpenWebhooks, type Receiver, type Tape } from '../wire/index.js';
import { notApplicable } from './planning/claims.js';
import type { Planned } from './planning/plan.js';

export interface WebhookOptions {
  /** How webhooks are opened, or why there are none. */
  readonly webhooks?: OpenWebhooks | string;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

export interface Webhooks {
  readonly webhook: Receiver | undefined;
  /** Why there is none. */
  readonly webhookOff: string;
}

const none = (webhookOff: string): Webhooks => ({ webhook: undefined, webhookOff });

/** Opens a webhook only if an applicable check needs it. Throws `TckError` for an address that cannot be used. */
export async function openWebhooks(
  { webhooks = 'no webhook was set up', clock, signal }: WebhookOptions,
  planned: readonly Planned[],
  target: Target,
  tape: Tape,
  uuid: () => string,
): Promise<Webhooks> {
  const isNeeded = planned.some(
    ({ rows }) => rows.some(({ needs }) => needs.includes('webhook')) && notApplicable(rows, target) === undefined,
  );
  if (typeof webhooks === 'string') return none(webhooks);
  if (!isNeeded) return none('no check needed a webhook');
  try {
    const webhook = await createReceiver({ open: webhooks, clock, tape, key: uuid() });
    // This ends every wait for a notification.
    signal?.addEventListener('abort', () => void webhook.close(), { once: true });
    return { webhook, webhookOff: '' };
  } catch (error) {
    if (error instanceof TckError) throw error;
    return none(`no webhook could be opened: ${error instanceof Error ? error.message : String(error)}`);
  }
}
