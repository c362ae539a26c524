import { paymentDocuments } from '../../packs/documents.js';
import { type Dialect, dialectById, dialects } from '../dialect/index.js';
import {
  type BrokenPlace,
  type Document,
  type Inspector,
  type Law,
  type Reading,
  type Rule,
  readAlone,
  suiteOf,
  type Target,
} from '../kit/index.js';
import { type Ledger, loadLedger, overlaid, publishedAt, type Requirement } from '../ledger/index.js';
import { createInspector, unruled } from '../ledger/schemas.js';
import { isObject, type JsonObject, member, placesInJson, TckError, unknownCard } from '../model/index.js';
import type {
  CheckResult,
  DocumentCheck,
  DocumentFault,
  DocumentPlace,
  DocumentSignature,
  Validation,
} from '../report/index.js';
import { notApplicable, type Planned, planAll, profileOfCard, tryLaw } from '../run/index.js';
import { excerpt, openly } from '../wire/index.js';
import { fixFor, observationsOn } from './fixes.js';
import { type DocumentKind, documentKinds, kindOf, kindTitles, schemaOf } from './kinds.js';
import { readDocument, type Unreadable } from './read.js';
import { checkSignatures } from './signatures.js';
import { type FoundVersion, faultsBy, versionOf } from './version.js';

/** A document to be judged without an agent. */
export interface DocumentToJudge {
  readonly bytes: Uint8Array;
  /** For people: a file, a URL, `stdin`. */
  readonly source: string;
  /** What it is; left out: the kit finds out. */
  readonly as?: DocumentKind | undefined;
  /** The profile as which it is judged; left out: the kit finds out. */
  readonly profile?: string | undefined;
  /** Public keys, one of which must have signed the card; left out: no signature is checked. */
  readonly keys?: readonly JsonObject[] | undefined;
  /** A failed SHOULD counts too. */
  readonly strict?: boolean;
  readonly kit: Validation['kit'];
  /** All rules of the suites: those about documents are asked. */
  readonly rules: readonly Rule[];
}

/** So many faults are listed at most. */
const mostFaults = 500;
const suites = new Set(['card', 'signature', 'data']);

/** The laws that judge a document by itself. */
const isAboutDocuments = ({ rule }: Planned): boolean =>
  rule.kind === 'law' && (rule.bySchemas === true || suites.has(suiteOf(rule)) || paymentDocuments.isOfCard(rule.id));

interface Subject {
  readonly value: unknown;
  readonly kind: DocumentKind;
  readonly dialect: Dialect;
  /** The place of the document in the text: it may stand in an envelope. */
  readonly at: string;
  readonly because: string;
  readonly evidence: readonly string[];
  readonly ledger: Ledger;
  readonly documents: readonly Document[];
}

/** What the whole text is, if the user does not say it. Throws `TckError`. */
function kindFor(value: unknown, { as, source }: DocumentToJudge): { kind: DocumentKind; at: string; because: string } {
  const found = kindOf(value);
  if (as !== undefined) {
    const at = found?.at ?? '';
    return { kind: as, at, because: 'as asked for' };
  }
  if (found !== undefined) return found;
  if (/agent[-_]?card|\.well-known\/agent/i.test(source)) return { kind: 'card', at: '', because: 'by its name' };
  const names = isObject(value) ? Object.keys(value).slice(0, 6).join(', ') : '';
  const what = isObject(value)
    ? names === ''
      ? 'an empty object'
      : `an object with ${excerpt(names, 120)}`
    : 'no object';
  throw new TckError(
    'not-an-agent',
    `${source} is not a document that the kit knows: ${what}`,
    `say what it should be: --as ${documentKinds.slice(0, 3).join(', ')}, …`,
  );
}

/** The dialect that was asked for; undefined: the kit finds out. Throws `TckError('usage')`. */
function chosenDialect(profile: string | undefined): Dialect | undefined {
  if (profile === undefined || profile === 'auto') return undefined;
  const found = dialectById(profile);
  if (found !== undefined) return found;
  throw new TckError(
    'usage',
    `--profile ${profile} is not known`,
    `known profiles: auto, ${dialects.map(({ id }) => id).join(', ')}`,
  );
}

const valueAt = (value: unknown, at: string): unknown =>
  at
    .split('/')
    .slice(1)
    .reduce((item: unknown, step) => member(item, step), value);

const inspectors = new Map<string, Inspector>();
function inspectorFor(folder: string): Inspector {
  const known = inspectors.get(folder) ?? createInspector(folder);
  inspectors.set(folder, known);
  return known;
}

function subjectOf(whole: unknown, given: DocumentToJudge): Subject {
  const { kind, at, because } = kindFor(whole, given);
  const value = valueAt(whole, at);
  const chosen = chosenDialect(given.profile);
  const payment = paymentDocuments.schemaOf(kind, value);
  const payments = inspectorFor(paymentDocuments.schemas);
  if (payment !== undefined) {
    const dialect = chosen ?? dialectById('a2a-1.0') ?? dialects[0];
    if (dialect === undefined) throw new Error('the kit has no dialects');
    const document: Document = { of: 'payment', name: kind, value, inspection: payments.inspect(payment, value) };
    return {
      value,
      kind,
      dialect,
      at,
      because,
      evidence: [],
      ledger: paymentDocuments.ledger(),
      documents: [document],
    };
  }
  const found = versionFor(kind, value, chosen);
  const { dialect } = found;
  const ref = schemaOf(kind, value, dialect) ?? '';
  const inspector = inspectorFor(dialect.schemas);
  if (!inspector.has(ref)) throw new TckError('usage', `${dialect.title} knows no ${kind}`, 'choose another --profile');
  const inspection = inspector.inspect(ref, value);
  const main: Document =
    kind === 'card' ? { of: 'card', name: 'card', value, inspection } : { of: 'result', name: kind, value, inspection };
  const charges = paymentDocuments.inside(kind, value, payments);
  const ledger = loadLedger(dialect.ledger);
  return {
    value,
    kind,
    dialect,
    at,
    because:
      kind === 'card' && because === 'it has members of a card'
        ? found.because
        : because === found.because
          ? because
          : `${because}; ${found.because}`,
    evidence: found.evidence,
    ledger: charges.length === 0 || !dialect.pays ? ledger : overlaid(ledger, paymentDocuments.ledger()),
    documents: dialect.pays ? [main, ...charges] : [main],
  };
}

function versionFor(
  kind: DocumentKind,
  value: unknown,
  chosen: Dialect | undefined,
): FoundVersion & { readonly evidence: readonly string[] } {
  if (kind === 'card') {
    const found = profileOfCard(value);
    return chosen === undefined ? found : { ...found, dialect: chosen, because: 'as asked for' };
  }
  if (chosen !== undefined) return { dialect: chosen, because: 'as asked for', evidence: [] };
  const count = (dialect: Dialect): number =>
    faultsBy(inspectorFor(dialect.schemas), schemaOf(kind, value, dialect) ?? '', value);
  return { ...versionOf(value, count), evidence: [] };
}

/** The target of laws about documents: not an agent, only what its card says. */
function targetOf({ kind, value, dialect }: Subject): Target {
  const isCard = kind === 'card';
  return {
    url: '',
    endpoint: '',
    cardUrl: undefined,
    card: (isCard ? dialect.card.decode(value) : undefined) ?? unknownCard,
    cardDocument: isCard ? value : undefined,
    cardExchange: undefined,
    origins: [],
  };
}

/** The result that laws about tasks and messages read. */
function shownOf({ kind, value, dialect }: Subject): Parameters<typeof readAlone>[0]['shown'] {
  const { get, send } = dialect.operations;
  if (kind === 'task') return { operation: 'get', value: get.result.decode(value) };
  if (kind !== 'message') return undefined;
  // Since 1.0 the result is an object that holds the message.
  const wrapped = send?.result.decode(value) ?? send?.result.decode({ message: value });
  return { operation: 'send', value: wrapped };
}

interface Judged {
  readonly checks: readonly DocumentCheck[];
  readonly faults: readonly Omit<DocumentFault, keyof Omit<DocumentPlace, 'pointer'>>[];
  readonly notes: readonly { readonly pointer: string; readonly text: string }[];
  /** Faults that the list leaves out. */
  readonly more: number;
}

const rowOf = (row: Requirement | undefined) => {
  if (row === undefined) return {};
  const { id, section, statement } = row;
  const link = publishedAt(row);
  return { requirement: id, section, statement, ...(link === undefined ? {} : { link }) };
};

/** The place of a document inside the main one: payments stand in metadata. */
const insideOf = ({ name, of }: Document, kind: string): string => (of === 'payment' ? name.slice(kind.length) : '');

interface Ruling {
  readonly verdict: CheckResult['verdict'];
  readonly reason: string;
}

/** The ruling of a law that the schemas decide. `broken`: how many places are. */
function bySchemas({ rule, rows }: Planned, broken: number, { documents }: Subject, target: Target): Ruling {
  const out = notApplicable(rows, target);
  if (out !== undefined) return { verdict: 'not-applicable', reason: out };
  if (broken > 0) return { verdict: 'fail', reason: '' };
  const isClaimed = (rule as Law).claimed?.(target) === undefined;
  const isSeen = documents.some(({ inspection }) => rule.keys.some((key) => inspection.visited.has(key)));
  return { verdict: isClaimed && isSeen ? 'pass' : 'not-applicable', reason: '' };
}

function asked(plannedRule: Planned, reading: Reading, target: Target): Ruling {
  const trial = tryLaw(plannedRule, { target, text: undefined }, () => 0, openly);
  trial.see(reading, [reading]);
  return trial.end();
}

/**
 * The laws about documents. What a row needs of the agent is known from its card only: of another document every row
 * counts.
 */
const plannedFor = ({ kind, ledger }: Subject, rules: readonly Rule[]): readonly Planned[] =>
  planAll(rules, ledger)
    .filter(isAboutDocuments)
    .map((plannedRule) =>
      kind === 'card'
        ? plannedRule
        : { ...plannedRule, rows: plannedRule.rows.map(({ claim: _, ...row }) => ({ ...row, needs: [] })) },
    );

/** Asks every law about documents, and reads the findings of places that no law is about. */
function judgeSubject(subject: Subject, { rules }: DocumentToJudge): Judged {
  const { kind, value, dialect, at, ledger, documents } = subject;
  const target = targetOf(subject);
  const reading = readAlone({ documents, shown: shownOf(subject) });
  const checks: DocumentCheck[] = [];
  const faults: Judged['faults'][number][] = [];
  const notes: Judged['notes'][number][] = subject.evidence.map((text) => ({ pointer: at, text: `${text}.` }));
  let more = 0;
  const planned = plannedFor(subject, rules);
  const add = (place: BrokenPlace, document: Document | undefined, from: Partial<DocumentFault>, keys: string[]) => {
    const { level } = from;
    if (level === undefined) return;
    const inside = document === undefined ? '' : insideOf(document, kind);
    const fix =
      fixFor({ keys, pointer: place.path, problem: place.problem }, document?.value ?? value, dialect) ?? from.fix;
    faults.push({
      ...from,
      level,
      pointer: `${at}${inside}${place.path}`,
      problem: sentenceOf(place.problem),
      ...(place.seen === undefined || isAbsent(place) ? {} : { seen: place.seen }),
      ...(fix === undefined ? {} : { fix }),
    });
  };
  for (const plannedRule of planned) {
    const law = plannedRule.rule as Law;
    const { title, rows, level } = plannedRule;
    const keys = rows.flatMap(({ key }) => key ?? []);
    const places = documents.flatMap((document) =>
      (law.places?.(document, target) ?? []).map((place) => ({ place, document })),
    );
    const { verdict, reason } =
      law.bySchemas === true
        ? bySchemas(plannedRule, places.length, subject, target)
        : asked(plannedRule, reading, target);
    if (verdict === 'inconclusive' && places.length > 0) {
      for (const { place } of places) notes.push({ pointer: `${at}${place.path}`, text: noteOf(place) });
    }
    if (verdict !== 'pass' && verdict !== 'fail') continue;
    const requirements = rows.map((row) => row.id);
    checks.push({
      id: law.id,
      title,
      level,
      verdict,
      requirements,
      section: rows.map((row) => row.section).join('; '),
    });
    if (verdict === 'pass') continue;
    const from: Partial<DocumentFault> = {
      ...(level === 'may' ? {} : { level }),
      check: law.id,
      ...rowOf(rows.find((row) => row.level === level)),
      ...(law.advice === undefined ? {} : { fix: law.advice }),
    };
    for (const { place, document } of places) add(place, document, from, keys);
    if (places.length === 0) add({ path: '', problem: reason }, undefined, from, keys);
    more += documents.reduce(
      (sum, { inspection }) => sum + keys.reduce((all, key) => all + (inspection.more.get(key) ?? 0), 0),
      0,
    );
  }
  // Places that no law is about: sentences that only a check shows, and the form of what a client sends.
  const decided = new Set(planned.flatMap(({ rule }) => rule.keys as readonly string[]));
  for (const document of documents) {
    for (const place of document.inspection.findings.filter(({ rule }) => !decided.has(rule))) {
      const row = place.rule === unruled ? undefined : ledger.rows.find(({ key }) => key === place.rule);
      if (place.rule !== unruled && (row === undefined || row.level === 'may')) continue;
      const level = row?.level === 'should' ? 'should' : 'must';
      const { path, message, seen } = place;
      add(
        { path, problem: message, seen },
        document,
        { level, ...rowOf(row) },
        row?.key === undefined ? [] : [row.key],
      );
    }
  }
  for (const { pointer, text } of kind === 'card' ? observationsOn(value, dialect) : [])
    notes.push({ pointer: `${at}${pointer}`, text });
  return { checks, faults, notes, more };
}

const isAbsent = ({ problem }: BrokenPlace): boolean => problem === 'must be present, is missing';
const sentenceOf = (problem: string): string => (problem === 'must be present, is missing' ? 'is missing' : problem);
const noteOf = ({ problem, seen }: BrokenPlace): string =>
  `It ${problem}${seen === undefined ? '' : `: ${seen}`}; only a run shows which version the agent speaks.`;

/** What a card lacks that was to be signed; undefined: one of the keys has signed it. */
function unsigned(
  signatures: readonly DocumentSignature[],
  subject: Subject,
): Omit<DocumentFault, 'line' | 'column'> | undefined {
  if (signatures.some(({ verified }) => verified)) return undefined;
  const row = subject.ledger.row('sig.verifies-canonical');
  const details = [...new Set(signatures.map(({ detail }) => detail))].join('; ');
  return {
    level: 'must',
    pointer: `${subject.at}/signatures`,
    problem:
      signatures.length === 0
        ? 'is missing: the card has no signature'
        : `holds none that the given key verifies: ${details}`,
    ...(row === undefined ? {} : { check: 'signature/verifies' }),
    ...rowOf(row),
    fix: 'Sign the card as it stands here, without `signatures`, in the form of RFC 8785, with that key.',
  };
}

const rank = ({ level }: Pick<DocumentFault, 'level'>): number => (level === 'must' ? 0 : 1);

/** Puts everything at its place in the text. */
function located<T extends { readonly pointer: string }>(
  text: string,
  all: readonly T[],
): readonly (T & DocumentPlace)[] {
  const places = placesInJson(
    text,
    all.map(({ pointer }) => pointer),
  );
  return all.map((item) => ({ ...item, ...(places.get(item.pointer) ?? { line: 1, column: 1 }) }));
}

/** The same fault once: two laws may look at one place. */
function distinct<T extends { readonly pointer: string; readonly problem: string }>(all: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return all.filter((item) => {
    const key = JSON.stringify([item.pointer, item.problem]);
    return !seen.has(key) && seen.add(key);
  });
}

function unreadableFault(
  { problem, line, column, near, fix }: Unreadable,
  as: DocumentKind | undefined,
): DocumentFault {
  const row = as === undefined || as === 'card' ? loadLedger('a2a-1.0').row('card.is-object') : undefined;
  const { requirement, section, statement, link } = rowOf(row) as Partial<DocumentFault>;
  const isCard = as === 'card';
  return {
    level: 'must',
    pointer: '',
    line,
    column,
    problem,
    ...(near === '' ? {} : { seen: JSON.stringify(near) }),
    ...(isCard ? { check: 'card/is-object', requirement, section, statement, link } : jsonItself),
    fix,
  } as DocumentFault;
}
const jsonItself = {
  section: 'RFC 8259',
  statement: 'A document of A2A is JSON in UTF-8.',
  link: 'https://www.rfc-editor.org/rfc/rfc8259',
};

/**
 * Judges a document by the schemas and laws of a run, without an agent. Throws `TckError` for a document of no known
 * kind, and for a profile that is not known or has no such kind; never because of what the document says.
 */
export function judgeDocument(given: DocumentToJudge): Validation {
  const { source, kit, strict = false, keys } = given;
  const read = readDocument(given.bytes, source);
  const made = (
    document: Omit<Validation['document'], 'source'>,
    rest: Pick<Validation, 'faults' | 'more' | 'notes' | 'signatures' | 'checks'>,
  ): Validation => {
    const count = (level: 'must' | 'should') => rest.faults.filter((fault) => fault.level === level).length;
    const summary = { must: count('must'), should: count('should') };
    const passed = summary.must === 0 && (!strict || summary.should === 0);
    const faults = rest.faults.slice(0, mostFaults);
    return {
      schema: 'a2a-tck-validation/1',
      kit,
      document: { source, ...document },
      passed,
      exitCode: passed ? 0 : 1,
      summary,
      ...rest,
      faults,
      more: rest.more + rest.faults.length - faults.length,
    };
  };
  if ('unreadable' in read) {
    const faults = [unreadableFault(read.unreadable, given.as)];
    const title = given.as === undefined ? 'no document' : `no ${given.as}`;
    return made({ title, because: 'it cannot be read' }, { faults, more: 0, notes: [], signatures: [], checks: [] });
  }
  const subject = subjectOf(read.value, given);
  const { kind, dialect, because, value, at } = subject;
  const { checks, faults, notes, more } = judgeSubject(subject, given);
  const isPayment = paymentDocuments.schemaOf(kind, value) !== undefined;
  const isSigned = keys !== undefined && kind === 'card' && isObject(value);
  if (keys !== undefined && kind !== 'card')
    throw new TckError('usage', '--key is only for cards', `${source} is ${kindTitles[kind]}`);
  const signatures = isSigned
    ? checkSignatures(value, keys).map((checkSignature) => ({
        ...checkSignature,
        pointer: `${at}${checkSignature.pointer}`,
      }))
    : [];
  const lack = isSigned ? unsigned(signatures, subject) : undefined;
  const all = located(read.text, distinct([...faults, ...(lack === undefined ? [] : [lack])]));
  const version = dialect.title.replace(/ over .*/, '');
  return made(
    {
      kind,
      ...(isPayment ? {} : { profile: dialect.id }),
      title: isPayment ? kindTitles[kind] : `${kindTitles[kind]} of ${version}`,
      because,
    },
    {
      faults: [...all].sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column),
      more,
      notes: located(read.text, notes),
      signatures,
      checks,
    },
  );
}
