import type { JsonObject } from '../model/index.js';
import { TckError } from '../model/tck-error.js';
import { createPurse, type Purse } from '../x402/purse.js';
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
  readonly spending?: { readonly purse: Purse; readonly total: bigint };
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
  return sharing(read, givenOf(defaults).x402MaxTotal);
}

/** Gives all targets with a wallet one purse: of `x402-max-total` of the defaults, or of the largest total of a target. */
function sharing(targets: readonly FleetTarget[], given: string | number | undefined): FleetTargets {
  const paying = targets.flatMap(({ settings: { target } }) => (target.x402?.key === undefined ? [] : [target.x402]));
  if (paying.length === 0) return { targets };
  const totals = paying.map(({ maxAmount = 0n, maxTotal = maxAmount }) => BigInt(maxTotal));
  const total = given === undefined ? totals.reduce((most, item) => (item > most ? item : most)) : BigInt(given);
  const purse = createPurse(total);
  return {
    spending: { purse, total },
    targets: targets.map((target) => {
      const { x402 } = target.settings.target;
      if (x402?.key === undefined) return target;
      return {
        ...target,
        settings: { ...target.settings, target: { ...target.settings.target, x402: { ...x402, purse } } },
      };
    }),
  };
}
