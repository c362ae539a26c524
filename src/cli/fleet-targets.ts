import { type SharedTotal, totalOf } from '../../packs/settings.js';
import type { JsonObject } from '../model/index.js';
import { TckError } from '../model/tck-error.js';
import { givenOf, readDocument, refuseDefects } from './config.js';
import { resolveSettings, type Settings } from './settings.js';

export interface FleetTarget {
  readonly name: string;
  readonly url: string;
  readonly settings: Settings;
}

export interface FleetTargets {
  readonly targets: readonly FleetTarget[];
  /** Of all targets together, in atomic units; undefined: none of them has a wallet. */
  readonly spending?: SharedTotal;
}

interface FleetDocument {
  readonly defaults?: JsonObject;
  readonly targets: readonly (JsonObject & { readonly name: string; readonly url: string })[];
}

/** Bytes: some thousand agents. */
const longest = 1024 * 1024;

/**
 * Reads the targets file of `fleet` and checks all of it before anything is sent. Throws `TckError`: `config`, `usage`.
 */
export async function readFleet(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<FleetTargets> {
  const document = await readDocument('the targets', file, longest);
  await refuseDefects('fleet', file, document, 'see schemas/kit/fleet.schema.json');
  const { defaults = {}, targets } = document.value as FleetDocument;
  const { namedDialect } = await import('./named.js');
  const { parseTargetUrl } = await import('../wire/index.js');
  const names = new Set<string>();
  const read = targets.map(({ name, ...options }): FleetTarget => {
    if (names.has(name)) throw new TckError('config', `${file}: two targets have the name ${name}`);
    names.add(name);
    try {
      const settings = resolveSettings({ ...givenOf(defaults), ...givenOf(options) }, env);
      parseTargetUrl(options.url);
      namedDialect(settings.target.profile);
      return { name, url: options.url, settings };
    } catch (error) {
      if (!(error instanceof TckError)) throw error;
      throw new TckError(error.code, `${file}, ${name}: ${error.message}`, error.hint);
    }
  });
  const spending = await totalOf(
    read.map(({ settings: { target } }) => target),
    givenOf(defaults),
  );
  if (spending === undefined) return { targets: read };
  const shared = ({ settings, ...rest }: FleetTarget): FleetTarget => ({
    ...rest,
    settings: { ...settings, target: spending.shared(settings.target) },
  });
  return { spending, targets: read.map(shared) };
}
