import type { Impostor } from '../impostor.js';
import { masks } from './masks.js';
import { strangers } from './strangers.js';

/** All impostors. */
export const impostors: readonly Impostor[] = [...strangers, ...masks];
