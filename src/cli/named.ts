import { type BindingId, bindings } from '../binding/index.js';
import { type Dialect, dialects, profileOver } from '../dialect/index.js';
import { suggestion } from '../model/nearest.js';
import { TckError } from '../model/tck-error.js';
import type { OpenPack, PackTarget } from '../pack/index.js';

/** The thing with this id. Throws `TckError('usage')` that names the closest ones. */
export function named<T extends { readonly id: string }>(
  what: string,
  id: string,
  all: readonly T[],
  where: string,
): T {
  const found = all.find((item) => item.id === id);
  if (found !== undefined) return found;
  throw new TckError(
    'usage',
    `unknown ${what} ${id}`,
    suggestion(
      id,
      all.map((item) => item.id),
      where,
    ),
  );
}

/** The dialect of `--profile`; undefined for `auto` or when nothing was given. */
export function namedDialect(profile: string | undefined): Dialect | undefined {
  if (profile === undefined || profile === 'auto') return undefined;
  return named('profile', profile, dialects, `known: ${dialects.map((dialect) => dialect.id).join(', ')}`);
}

/** The dialect of `--profile`, or the first that the kit speaks, over the binding of `--binding`, if it names one. */
export function chosenDialect(profile: string | undefined, binding: BindingId | 'auto' | 'all' = 'auto'): Dialect {
  const chosen = namedDialect(profile) ?? dialects[0];
  if (chosen === undefined) throw new TckError('internal', 'the kit speaks no dialect');
  if (binding === 'auto' || binding === 'all') return chosen;
  const spoken = bindings.find(({ id }) => id === binding);
  const over = spoken && profileOver(chosen, spoken);
  if (over === undefined) throw new TckError('usage', `the kit does not judge ${chosen.id} over ${binding}`);
  return over;
}

/** The packs that options name; nothing is loaded where they name none. Throws what `loadPacks` throws. */
export async function targetPacks(target: PackTarget): Promise<readonly OpenPack[]> {
  if (target.packs === undefined) return [];
  const { rules } = await import('../../suites/index.js');
  const { loadPacks } = await import('../pack/index.js');
  return loadPacks(target, rules);
}

/** The packs of `--pack`, without options: for commands that only describe them. */
export const namedPacks = (packs: readonly string[] | undefined): Promise<readonly OpenPack[]> =>
  targetPacks(packs === undefined ? {} : { packs });
