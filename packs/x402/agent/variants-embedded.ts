import type { JsonObject, Part } from '../../../src/model/index.js';
import { type Patch, together } from '../../../src/reference/patching.js';
import { metadataKeys } from '../payments/index.js';
import { onPayment } from './edits.js';
import { onSeller } from './patches.js';

/** A new task that must be paid has an artifact before it asks for the payment. */
export const previewing = (parts: (offer: JsonObject) => readonly Part[]): Patch =>
  onSeller((inner, _, whole) => ({
    script(message, waiting) {
      const plot = inner.script(message, waiting);
      const skill = message.taskId === undefined ? whole.x402.skill(message) : undefined;
      if (waiting !== undefined || skill === undefined || plot.reply !== 'task') return plot;
      const act = { type: 'artifact', name: 'cart', parts: parts(whole.x402.offer(skill, 0)) } as const;
      return { ...plot, steps: [{ afterMs: 5, act }, ...plot.steps] };
    },
  }));

/** A cart mandate of AP2 with the offer inside: a2a-x402 v0.2 §4. */
export const mandate = (offer: JsonObject): readonly Part[] => [
  {
    kind: 'data',
    data: {
      'ap2.mandates.CartMandate': {
        contents: {
          id: 'cart-1',
          payment_request: { method_data: [{ supported_methods: 'https://www.x402.org/', data: offer }] },
        },
      },
    },
  },
];

/** Moves the offer from the metadata into an artifact. */
export const embedding: Patch = together(
  previewing(mandate),
  onPayment(({ [metadataKeys.required]: _, ...metadata }) => metadata),
);
