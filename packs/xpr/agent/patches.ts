import type { Patch, Seams, World } from '../../../src/reference/patching.js';
import type { XprSeams } from './seams.js';
import type { XprSettings } from './settings.js';

/** The finished set of seams of an agent whose callers sign. */
export type XprWhole = Seams & { readonly xpr: XprSeams };

const seamsIn = ({ parts }: Seams): XprSeams => parts['xpr'] as XprSeams;

/** The same set, which may still be unfinished, with the seams of the pack. */
export const withXpr = (whole: Seams): XprWhole =>
  Object.create(whole, { xpr: { get: () => seamsIn(whole) } }) as XprWhole;

/** A patch of some of these seams. */
export const onXpr =
  (patch: (inner: XprSeams, world: World, whole: XprWhole) => Partial<XprSeams>): Patch =>
  (inner, world, whole) => {
    const before = seamsIn(inner);
    return { parts: { ...inner.parts, xpr: { ...before, ...patch(before, world, withXpr(whole)) } } };
  };

/** Other settings. */
export const setting = (more: Partial<XprSettings>): Patch =>
  onXpr((inner) => ({ settings: () => ({ ...inner.settings(), ...more }) }));
