import type { Seams, World } from '../seams.js';
import { claims } from './claims.js';
import { counting } from './counting.js';
import type { XprSeams } from './seams.js';
import { usualSettings } from './settings.js';
import { standing } from './standing.js';

/** The seams about callers who sign their requests. */
export const xpr = (world: World, whole: Seams): XprSeams => ({
  settings: () => world.spelling.signed ?? usualSettings,
  ...claims(world, whole),
  ...standing(world, whole),
  ...counting(world, whole),
});
