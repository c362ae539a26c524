import type { RequirementKey } from '../../ledger/index.js';
import { isObject, member } from '../../model/index.js';
import type { Target } from '../scenes/scene.js';
import type { Finding } from './inspection.js';
import type { Mutation } from './mutants.js';
import type { Note, Recorded } from './notes.js';
import { placesOf } from './places.js';
import { isOfProbe } from './probes.js';
import type { Document, Reading } from './reading.js';
import type { Judgement } from './verdict.js';

/**
 * The judgement of a law on one exchange: it holds, it does not concern the exchange (`silent`), how it is broken, or
 * that the exchange does not show it.
 */
export type LawJudgement = 'holds' | 'not-concerned' | Exclude<Judgement, undefined>;

/** One place of a document that breaks a law. */
export interface BrokenPlace {
  /** JSON pointer; of a missing member the place where it should be. */
  readonly path: string;
  /** What is wrong there, without the place: "must be string, is number". */
  readonly problem: string;
  /** The value there, shortened; left out: the problem says it. */
  readonly seen?: string;
}

/** Judges every exchange of a run: of checks, of sources, of the fuzzer, of a saved tape. */
export interface Law {
  readonly kind: 'law';
  readonly id: string;
  readonly keys: readonly RequirementKey[];
  /** Who or what the law is about: "the card"; undefined: the subject of its suite. */
  readonly subject: string | undefined;
  /** Reads after the subject and "must": "repeat the id of the request". */
  readonly about: string;
  /** Why there was nothing to judge; shown when the verdict is inconclusive. */
  readonly otherwise: string;
  /** Why the law is not applicable to a target, naming the missing declaration; undefined: it always is applicable. */
  readonly claimed: ((target: Target) => string | undefined) | undefined;
  /** What it compares of the answers of other exchanges; taken of the whole tape before the first is judged. */
  readonly notes: readonly Note<unknown>[];
  /** `tape`: all exchanges in the order of the tape, for laws about what an exchange says of earlier ones. */
  judge(reading: Reading, target: Target, tape: readonly Recorded[]): LawJudgement;
  /** Every place of a document at which it breaks the law; left out: only the reason of `judge` says where. */
  readonly places?: ((document: Document, target: Target) => readonly BrokenPlace[]) | undefined;
  /** The schemas decide: an exchange whose documents have no findings breaks nothing. */
  readonly bySchemas?: true;
  readonly advice: string | undefined;
  /** Changes to answers of its own, which the proof tries first. */
  readonly own: readonly Mutation[];
  /** The same law with changes of its own: the proof counts them where it fails by them. */
  mutants(...own: readonly Mutation[]): Law;
}

export interface LawOptions {
  /** Who or what the law is about, where it is not the subject of the suite: "every receipt". */
  readonly subject?: string;
  /** The missing thing, when no exchange concerned the law: "no answer with a file part came back". */
  readonly otherwise: string;
  /** A reason (naming the declaration) when the agent does not claim what the law is about. */
  readonly unless?: (target: Target) => string | undefined;
  readonly advice?: string;
  readonly places?: Law['places'];
  /** All notes for which the law asks of the tape. */
  readonly notes?: Law['notes'];
}

const withMutants = (made: Omit<Law, 'mutants'>): Law => ({
  ...made,
  mutants: (...own) => withMutants({ ...made, own: [...made.own, ...own] }),
});

/** A law over all exchanges. What proves it are changed answers, and faults that break its row: one must make it fail. */
export function law(
  id: `${string}/${string}`,
  keys: RequirementKey | readonly [RequirementKey, ...RequirementKey[]],
  about: string,
  options: LawOptions,
  judge: Law['judge'],
): Law {
  return withMutants({
    kind: 'law',
    id,
    keys: typeof keys === 'string' ? [keys] : keys,
    subject: options.subject,
    about,
    otherwise: options.otherwise,
    claimed: options.unless,
    notes: options.notes ?? [],
    judge,
    places: options.places,
    advice: options.advice,
    own: [],
  });
}

/**
 * Whether the place is in a message of the client in a history: a lenient agent shows there what the kit sent broken on
 * purpose, also in answers to other requests.
 */
function isEcho(document: unknown, path: string): boolean {
  const at = /^(.*?\/history\/\d+)(\/|$)/.exec(path)?.[1];
  if (at === undefined) return false;
  let found: unknown = document;
  for (const name of at.split('/').slice(1)) {
    found = Array.isArray(found)
      ? found[Number(name)]
      : member(found, name.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return isObject(found) && !/agent/i.test(String(member(found, 'role')));
}

type Place = 'card' | 'elsewhere';
/** The kind of documents on which a key is judged. */
const placeOf = (key: RequirementKey): Place => (/^(card|ext|sig)\./.test(key) ? 'card' : 'elsewhere');
const placeOfDocument = (of: Document['of']): Place => (of === 'card' ? of : 'elsewhere');

/** The findings of the schemas in a document as broken places. */
export const foundIn = ({ inspection }: Document, fits: (finding: Finding) => boolean): readonly BrokenPlace[] =>
  inspection.findings.filter(fits).map(({ path, message, seen }) => ({ path, problem: message, seen }));

/**
 * A law that the schemas decide: no document in an answer breaks a place that has the key (`x-rule`). Keys of the card,
 * of extensions and of signatures are judged on the card, all others on results and on documents in them that a pack has
 * schemas for. The reason names each broken place of the first broken document.
 */
export function conforms(id: `${string}/${string}`, key: RequirementKey, about: string, options: LawOptions): Law {
  const place = placeOf(key);
  const places = (document: Document) =>
    placeOfDocument(document.of) === place ? foundIn(document, ({ rule }) => rule === key) : [];
  const made = law(id, key, about, { places, ...options }, (reading) => {
    let seen = false;
    for (const document of reading.documents) {
      if (placeOfDocument(document.of) !== place) continue;
      // The answer to a broken request may repeat it in the history of a task: the defect is then the kit's own.
      if (!reading.valid && document.of !== 'error') continue;
      const { findings, more, visited } = document.inspection;
      const isOfKit = (path: string): boolean =>
        reading.isAlone !== true && (isEcho(document.value, path) || isOfProbe(reading, document.value, path));
      const broken = findings.filter(({ rule, path }) => rule === key && !isOfKit(path));
      if (broken.length > 0) return placesOf(document.name, broken, more.get(key));
      seen ||= visited.has(key);
    }
    return seen ? 'holds' : 'not-concerned';
  });
  return withMutants({ ...made, bySchemas: true });
}
