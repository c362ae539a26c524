import type { Patch, Seams, World } from '../seams.js';
import type { XprSeams } from './seams.js';
import type { XprSettings } from './settings.js';

/** A patch of some of these seams. */
export const onXpr =
  (patch: (inner: XprSeams, world: World, whole: Seams) => Partial<XprSeams>): Patch =>
  (inner, world, whole) => ({ xpr: { ...inner.xpr, ...patch(inner.xpr, world, whole) } });

/** Other settings. */
export const setting = (more: Partial<XprSettings>): Patch =>
  onXpr((inner) => ({ settings: () => ({ ...inner.settings(), ...more }) }));
