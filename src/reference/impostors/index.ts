import type { Impostor } from '../impostor.js';
import { masks } from './masks.js';
import { strangers } from './strangers.js';

/** Everything that answers and is no agent. */
export const impostors: readonly Impostor[] = [...strangers, ...masks];
