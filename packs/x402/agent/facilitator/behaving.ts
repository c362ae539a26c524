import { plainReply, type Reply } from '../../../../src/reference/patching.js';
import type { FacilitatorBehaviour, FacilitatorOrder } from '../../payments/index.js';

export type Path = 'verify' | 'settle';

/** Longer than callers wait. */
export const delayMs = 8000;

/** The calls that a behaviour can change. */
const changes: Readonly<Record<FacilitatorBehaviour, readonly Path[]>> = {
  down: ['verify', 'settle'],
  delay: ['verify', 'settle'],
  'http-500': ['verify', 'settle'],
  html: ['verify', 'settle'],
  'invalid-json': ['verify', 'settle'],
  'valid-then-fail': ['verify', 'settle'],
  'settle-fails': ['settle'],
  'success-without-transaction': ['settle'],
  'settlement-pending-once': ['settle'],
};

export const behaviours = Object.keys(changes) as readonly FacilitatorBehaviour[];

/** The order that is in force. */
export interface Orders {
  set(order: FacilitatorOrder | undefined): void;
  /** The order for a call. It is used up by this, unless it is sticky. */
  take(path: Path): FacilitatorOrder | undefined;
}

export function createOrders(): Orders {
  let current: FacilitatorOrder | undefined;
  return {
    set(order) {
      current = order;
    },
    take(path) {
      const order = current;
      if (order === undefined || !changes[order.behaviour].includes(path)) return undefined;
      if (order.on !== undefined && order.on !== path) return undefined;
      const goesOn = order.behaviour === 'valid-then-fail' && path === 'verify' && order.on === undefined;
      if (!order.sticky && !goesOn) current = undefined;
      return order;
    },
  };
}

const page = '<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>\n';

/** What comes in place of the answer, whatever was asked; undefined: the answer. */
export function broken(behaviour: FacilitatorBehaviour | undefined, path: Path): Reply | undefined {
  switch (behaviour) {
    case 'down':
      return { ...plainReply(503, 'down'), fate: 'reset' };
    case 'http-500':
      return plainReply(500, 'Internal server error');
    case 'html':
      return { status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body: page };
    case 'invalid-json':
      return {
        status: 200,
        headers: [['content-type', 'application/json']],
        body: path === 'verify' ? '{"isValid":true,"pay' : '{"success":true,"transaction":"0x',
      };
    default:
      return undefined;
  }
}
