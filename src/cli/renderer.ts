import { charging } from '../../packs/options.js';
import { type Rendering, type ReportContext, reporters, type Sentence } from '../../reporters/index.js';
import { dialectById, dialects } from '../dialect/index.js';
import { loadLedger, publishedAt } from '../ledger/index.js';
import type { RunEvent } from '../report/index.js';
import { findReporter } from './output.js';
import type { Rendered } from './report-messages.js';

/** The rows of each profile by id, cached: every format looks them up. */
const sentences = new Map<string, ReadonlyMap<string, Sentence>>();
function sentencesOf(profile: string): ReadonlyMap<string, Sentence> {
  const known = sentences.get(profile);
  if (known !== undefined) return known;
  const dialect = dialectById(profile);
  const ofClients = /^client-\d\.\d/.exec(profile)?.[0];
  const signed = dialects.find(({ id }) => profile === `client-${id}`)?.signed;
  const ledgers =
    dialect !== undefined
      ? [loadLedger(dialect.ledger), loadLedger(charging.ledger)]
      : ofClients !== undefined
        ? [loadLedger(ofClients), loadLedger(charging.clientLedger)]
        : signed !== undefined
          ? [loadLedger('client-0.3'), loadLedger(`client-${signed.pack}`)]
          : [];
  const made = new Map(
    ledgers.flatMap(({ rows }) =>
      rows.map((row) => {
        const { id, section, statement } = row;
        const url = publishedAt(row);
        return [id, { section, statement, ...(url === undefined ? {} : { url }) }] as const;
      }),
    ),
  );
  sentences.set(profile, made);
  return made;
}
/** The other interfaces of an agent have other profiles; the ids of rows are the same in none of them. */
const inAny = (requirement: string): Sentence | undefined =>
  dialects.map(({ id }) => sentencesOf(id).get(requirement)).find((sentence) => sentence !== undefined);
/** The sentence behind a requirement, as reports show it. */
export const sentence: ReportContext['sentence'] = (profile, requirement) =>
  sentencesOf(profile).get(requirement) ?? inAny(requirement);

/** Renders each event in all formats. A format that fails is passed to `failed`, and skipped from then on. */
export function renderer(
  rendered: readonly Rendered[],
  text: (at: number, text: string) => void,
  failed: (at: number, error: unknown) => void,
  doing: (what: string) => void = () => undefined,
): (event: RunEvent) => void {
  // What a run says of its packs, which only it knows.
  const ofPacks = new Map<string, Sentence>();
  const known: ReportContext['sentence'] = (profile, requirement) =>
    ofPacks.get(requirement) ?? sentence(profile, requirement);
  const live = new Map<number, Rendering>(
    rendered.map(({ format, context }, at) => [
      at,
      findReporter(reporters, format).begin({ ...context, sentence: known }),
    ]),
  );
  return (event) => {
    if (event.type === 'run.ended')
      for (const { requirements } of event.report.run.packs ?? [])
        for (const { id, ...rest } of requirements) ofPacks.set(id, rest);
    for (const [at, rendering] of live) {
      doing(String(at));
      try {
        const added = rendering.on(event);
        for (const piece of typeof added === 'string' ? [added] : added) if (piece !== '') text(at, piece);
      } catch (error) {
        live.delete(at);
        failed(at, error);
      }
    }
  };
}
