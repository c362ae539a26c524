import type { JsonObject } from '../model/index.js';
import { TckError } from '../model/tck-error.js';
import { givenOf, readDocument, refuseDefects } from './config.js';
import { resolveSettings, type Settings } from './settings.js';

export interface FleetTarget {
  readonly name: string;
  readonly url: string;
  readonly settings: Settings;
}

interface FleetDocument {
  readonly defaults?: JsonObject;
  readonly targets: readonly (JsonObject & { readonly name: string; readonly url: string })[];
}

/**
 * Reads the targets file of `fleet` and checks all of it before anything is sent. Throws `TckError`: `config`, `usage`.
 */
export async function readFleet(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly FleetTarget[]> {
  const document = await readDocument('the targets', file);
  await refuseDefects('fleet', file, document, 'see schemas/kit/fleet.schema.json');
  const { defaults = {}, targets } = document.value as FleetDocument;
  const { namedDialect } = await import('./named.js');
  const { parseTargetUrl } = await import('../wire/index.js');
  const names = new Set<string>();
  return targets.map(({ name, ...options }) => {
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
}
