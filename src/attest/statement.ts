import { createHash } from 'node:crypto';
import { TckError } from '../model/index.js';
import { breaks, type CheckResult, type InterfaceReport, type Report, toleratedBy } from '../report/index.js';

export const statementType = 'https://in-toto.io/Statement/v1';
export const predicateType = 'https://in-toto.io/attestation/test-result/v0.1';

/** in-toto ResourceDescriptor, the members that the kit uses. */
export interface ResourceDescriptor {
  readonly name: string;
  readonly uri?: string;
  readonly digest?: { readonly sha256: string };
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export type TestResult = 'PASSED' | 'WARNED' | 'FAILED';

/** in-toto Statement v1 with the predicate test-result v0.1. */
export interface Statement {
  readonly _type: typeof statementType;
  readonly subject: readonly ResourceDescriptor[];
  readonly predicateType: typeof predicateType;
  readonly predicate: {
    readonly result: TestResult;
    readonly configuration: readonly ResourceDescriptor[];
    readonly passedTests: readonly string[];
    readonly warnedTests: readonly string[];
    readonly failedTests: readonly string[];
  };
}

const sha256 = (text: string | Uint8Array): { readonly sha256: string } => ({
  sha256: createHash('sha256').update(text).digest('hex'),
});

/**
 * `PASSED`: the gate passed in a run of all checks, every applicable MUST was shown to hold, no SHOULD failed, and the
 * run has no finding.
 */
function resultOf({ gate, checks, run, findings, target }: Report): TestResult {
  if (!gate.passed) return 'FAILED';
  // An agent with an unchecked certificate may be any program.
  const isChosen = run.selection !== undefined || target.insecure === true;
  const isClean = checks.every(
    ({ level, verdict, afterSet }) =>
      afterSet === true ||
      verdict === 'pass' ||
      verdict === 'not-applicable' ||
      (verdict === 'inconclusive' && level !== 'must') ||
      verdict === 'not-offered',
  );
  const isShown = checks.some(({ level, verdict }) => level === 'must' && verdict === 'pass');
  return isClean && isShown && !isChosen && findings.length === 0 ? 'PASSED' : 'WARNED';
}

/** Findings of the fuzzer are listed beside the checks. */
const named = ({ id }: Report['findings'][number]): string => `finding/${id}`;

/** The package URL (purl) of the kit on npm. */
const kitUri = ({ name, version }: Report['kit']): string =>
  `pkg:npm/${encodeURIComponent(name)}@${encodeURIComponent(version)}`;

/** An interface of the agent, and whether the run judged it. */
const interfaceOf = ({ url, ...about }: InterfaceReport): ResourceDescriptor => ({
  name: 'interface',
  uri: url,
  annotations: about,
});

/**
 * The statement of a run about the agent whose card was served. Checks that were shown neither way are in no list.
 * `file`: the JSON report as the kit writes it; its digest is in the statement. Throws `TckError('usage')` if the card
 * is missing, or the run is a part.
 */
export function statementOf(report: Report, file: string | Uint8Array): Statement {
  const { kit, target, run, gate, checks, findings } = report;
  if (run.shard !== undefined) {
    throw new TckError('usage', 'a part of a run cannot be attested', 'a2a-tck merge makes one report of all parts');
  }
  if (target.cardDigest === undefined) {
    throw new TckError('usage', 'an agent that serves no card cannot be attested', 'its card is the subject');
  }
  const tests = (holds: (check: CheckResult) => boolean) => checks.filter(holds).map(({ id }) => id);
  const known = toleratedBy(report);
  const options = {
    seed: run.seed,
    strict: gate.strict ?? false,
    minProof: gate.minProof ?? 0,
    selection: run.selection ?? 'all',
    ...(run.set === undefined ? {} : { set: run.set.id }),
  };
  return {
    _type: statementType,
    subject: [
      {
        name: target.cardUrl ?? target.url,
        digest: { sha256: target.cardDigest },
        annotations: { canonicalization: 'RFC 8785' },
      },
    ],
    predicateType,
    predicate: {
      result: resultOf(report),
      configuration: [
        { name: kit.name, uri: kitUri(kit), annotations: { version: kit.version } },
        { name: 'profile', uri: `urn:a2a-tck:profile:${encodeURIComponent(target.profile)}` },
        ...(target.interfaces ?? []).map(interfaceOf),
        ...(target.insecure === true ? [{ name: 'certificates', annotations: { checked: false } }] : []),
        ...(known.length === 0 ? [] : [{ name: 'baseline', annotations: { known } }]),
        { name: 'options', digest: sha256(JSON.stringify(options)), annotations: options },
        { name: 'report', digest: sha256(file), annotations: { startedAt: run.startedAt } },
      ],
      passedTests: tests(({ verdict }) => verdict === 'pass'),
      warnedTests: [
        ...tests(({ verdict, level, afterSet }) => verdict === 'fail' && (level !== 'must' || afterSet === true)),
        ...findings.filter((finding) => !breaks(finding, 'must')).map(named),
      ],
      failedTests: [
        ...tests(({ verdict, level, afterSet }) => verdict === 'fail' && level === 'must' && afterSet !== true),
        ...findings.filter((finding) => breaks(finding, 'must')).map(named),
      ],
    },
  };
}
