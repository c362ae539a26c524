import type { Impostor } from '../impostor.js';

/** Everything that answers and is no agent. */
export const impostors: readonly Impostor[] = [];
