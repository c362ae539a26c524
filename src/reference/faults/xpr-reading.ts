import { headerNames } from '../../xpr/index.js';
import type { Incoming } from '../calls.js';
import type { Patch } from '../seams.js';
import { onXpr } from '../xpr/patches.js';

type Name = keyof typeof headerNames;

/** All values of one of the three headers, unchanged. */
export const valuesOf = (name: Name, { headers }: Incoming): readonly string[] =>
  headers.flatMap(([found, value]) => (found.toLowerCase() === headerNames[name].toLowerCase() ? [value] : []));

/** Reads one header with `read`; if that gives undefined, as usual. */
export const reading = (name: Name, read: (values: readonly string[]) => string | undefined): Patch =>
  onXpr((inner) => ({
    header: (asked, request) =>
      (asked === name ? read(valuesOf(name, request)) : undefined) ?? inner.header(asked, request),
  }));
