import type { BindingId, Dialect } from '../dialect/index.js';
import type { Carrier, Clock } from '../wire/index.js';
import type { AgentPart } from './seams.js';

export interface ImpostorContext {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly baseUrl: string;
  /** What the pack of the profile makes of the agent behind some of them. */
  readonly part?: AgentPart;
}

/** A server that is not an agent: no check may pass on it. */
export interface Impostor {
  readonly id: string;
  readonly about: string;
  /** The only binding in which it is another server. Left out: all. */
  readonly binding?: BindingId;
  carrier(context: ImpostorContext): Carrier;
}

export const impostor = (id: string, definition: Omit<Impostor, 'id'>): Impostor => ({ id, ...definition });
