import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variants } from '../fixtures/faults/index.js';
import { loadAmbiguities, loadLedger } from '../src/ledger/index.js';
import { rules } from '../suites/index.js';

// How the checks of each unclear point treat what is left open. The variants fail nothing: `a2a-tck prove` plays them.

/** Conforming agents that do what a point lets pass. */
const played: Readonly<Record<string, readonly string[]>> = {
  'AMB03-04': ['refuses-finished-as-invalid-params'],
  'AMB03-05': ['nested-messages-bare', 'takes-messages-without-id'],
  'AMB03-07': ['never-waits', 'starts-working', 'queues-messages'],
  'AMB03-08': ['signs-in-by-input', 'stream-outlives-interruptions'],
  'AMB03-09': ['stream-resumes-without-task'],
  'AMB03-10': ['no-resubscribe', 'stream-refuses-finished-tasks'],
  'AMB03-11': ['undeclared-methods-do-not-exist'],
  'AMB03-12': ['push-in-later-words', 'push-in-own-words'],
  'AMB03-14': ['undeclared-methods-do-not-exist', 'extended-card-refused-with-400'],
  'AMB03-15': ['rest-in-proto', 'rest-in-schema'],
  'AMB03-16': ['lists-an-array', 'lists-in-its-own-way'],
  'AMB03-18': ['answers-notifications', 'requires-an-id', 'takes-batches', 'empty-batch-as-array'],
  'AMB03-19': ['http-status-of-errors', 'http-500-around-errors', 'stream-refusals-as-events'],
  'AMB03-20': ['null-id-on-invalid-requests'],
  'AMB03-21': ['shape-errors-are-invalid-requests'],
  'AMB03-23': ['timestamps-without-zone'],
  'AMB03-24': ['one-url-two-transports'],
  'AMB03-25': ['cancels-again', 'cancels-later', 'cancel-changes-nothing', 'queues-messages-for-one-worker'],
  'AMB03-28': ['extensions-declared', 'extensions-that-inform'],
  'AMB03-29': ['version-without-patch'],
  'AMB03-31': ['no-skills'],
  'AMB03-35': ['extended-card-for-everybody'],
  'AMB03-36': ['lenient-json'],
  'AMB10-02': ['stream-outlives-interruptions'],
  'AMB10-03': ['cancels-again'],
  'AMB10-04': ['rest-subscribe-by-get', 'rest-subscribe-by-post'],
  'AMB10-05': ['http-status-of-errors'],
  'AMB10-06': ['follows-1-0-0'],
  'AMB10-07': ['follows-1-0-0'],
  'AMB10-09': ['reads-version-in-header-only', 'two-versions-by-header-only'],
  'AMB10-10': ['tasks-without-context'],
  'AMB10-12': ['no-skills', 'skills-with-security'],
  'AMB10-13': ['zero-sizes-left-out'],
  'AMB10-15': ['page-size-clamped'],
  'AMB10-17': ['bearer-required'],
  'AMB10-21': ['push-delete-again-not-found'],
  'AMB10-24': ['signed-card-as-served', 'signed-card-without-empty', 'signed-card-without-defaults'],
  'AMB10-25': ['extensions-not-asked-for'],
  'AMB10-26': ['answers-notifications', 'requires-an-id', 'takes-batches'],
  'AMB10-27': ['http-status-of-errors', 'http-500-around-errors', 'stream-refusals-as-events'],
  'AMB10-28': ['extensions-that-inform'],
  'AMB10-29': ['tenant-declared', 'tenant-demanded', 'rest-tenant-in-path'],
  'AMB10-30': ['stream-ends-with-task'],
  'AMB10-31': ['two-versions'],
  'AMB10-33': ['shape-errors-are-invalid-requests'],
  'AMB10-35': ['bearer-refused-in-json-rpc'],
  'AMB10-40': ['lenient-json'],
  'AMB10-45': ['stream-ends-when-idle'],
  'AMB03-40': ['rest-v1-in-base', 'rest-without-v1', 'rest-accepted', 'rest-problem-details', 'rest-not-implemented'],
  'AMB10-60': ['rest-pages-for-unknown-paths'],
  'AMB10-61': ['rest-created-and-empty'],
  'AMB10-64': ['rest-info-on-all-errors'],
  'AMBP-14': ['x402-rejection-cancels'],
  'AMBP-22': ['x402-other-facilitators'],
  'AMBX-03': ['xpr-optional-shared'],
  'AMBX-07': ['xpr-optional', 'xpr-optional-reads-only', 'xpr-optional-incomplete'],
  'AMBX-14': ['xpr-limit-lower-than-said'],
  'AMB10-49': [
    'grpc-malformed-is-invalid',
    'grpc-malformed-is-unimplemented',
    'grpc-misframed-over-http',
    'grpc-flag-overlooked',
  ],
  'AMB10-67': ['cancel-changes-nothing'],
  'AMB10-68': ['denies-listing'],
};

/** Why nothing is played: every answer that passes is what the reference agent does, or the kit asks for no other. */
const usual: Readonly<Record<string, string>> = {
  'AMB03-01': 'an agent that answers and declares nothing is judged by its endpoint',
  'AMB03-02': 'both readings know the member: absence warns',
  'AMB03-03': 'both readings ask for the code: another one warns',
  'AMB03-06': 'asked with 1 and more only',
  'AMB03-13': 'any error passes, and the reference agent gives one',
  'AMB03-17': 'the kit calls by the names of the proto, and any status but OK passes',
  'AMB03-22': 'canceled is the only spelling of JSON-RPC',
  'AMB03-26': 'an error passes, and the reference agent gives one',
  'AMB03-32': 'an error passes, and the reference agent gives one',
  'AMB03-33': 'told by the dialect: methods that may be missing',
  'AMB03-37': 'the reference agent has the statuses that pass; another one warns',
  'AMB10-01': 'the proto and 3.2.2 decide',
  'AMB10-08': 'problem details fail, as 11.6 has it',
  'AMB10-11': 'any error passes',
  'AMB10-14': 'asked in a context where nothing else happens',
  'AMB10-16': 'the text asks to leave it out: an empty list warns',
  'AMB10-19': 'an error passes, and the reference agent gives one',
  'AMB10-20': 'the kit writes as the proto does',
  'AMB10-22': 'the form of the proto passes, the old one warns',
  'AMB10-23': 'the proto decides',
  'AMB10-34': 'any number of digits passes',
  'AMB10-37': 'refusing passes, and the reference agent refuses',
  'AMB10-38': 'asked with a time between two tasks',
  'AMB10-41': 'both sentences ask for a refusal: another code than -32005 warns',
  'AMB10-62': 'an agent of one tenant has no other',
  'AMB10-63': 'the path wins, as the reference agent has it',
  'AMB10-65': 'a status, as the reference agent has it; the variant stream-refusals-as-events has events',
  'AMB10-42': 'the examples say which members fail: what they do not name warns',
  'AMB10-46': 'INVALID_ARGUMENT, as the reference agent has it; another status warns',
  'AMB10-48': '3.6.2 decides',
  'AMB10-43': 'the kit reads every form of an address, and judges what answers there',
  'AMB10-69': 'no agent is asked: the kit declares the requirement, and judges what the client sends',
  'AMB10-66': 'no agent is asked: the kit sends the notification, and judges what the client makes of it',
};

const folder = new URL('../schemas/requirements/', import.meta.url);
const ledgers = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => loadLedger(name.replace('.yaml', '')));
/** Points that a check touches, with its checks. */
const touched = new Map<string, Set<string>>();
for (const { rows } of ledgers) {
  for (const { ambiguity, key } of rows) {
    const checks = rules.filter(({ keys }) => key !== undefined && keys.includes(key));
    if (ambiguity === undefined || checks.length === 0) continue;
    const known = touched.get(ambiguity) ?? new Set<string>();
    for (const { id } of checks) known.add(id);
    touched.set(ambiguity, known);
  }
}
/** Documents of dialects and extensions of others: their words are explained in docs/xpr.md and docs/x402.md. */
const isOfA2a = (id: string): boolean => /^AMB(03|10)-/.test(id);

test('each point of A2A that a check touches says how what it leaves open is treated', () => {
  const points = [...touched.keys()].filter(isOfA2a).sort();
  const isPlayed = (id: string): boolean => Object.hasOwn(played, id) !== Object.hasOwn(usual, id);
  expect(points.filter((id) => !isPlayed(id))).toEqual([]);
});

test('nothing is said of points that are not on the list', () => {
  const known = loadAmbiguities();
  expect([...Object.keys(played), ...Object.keys(usual)].filter((id) => !known.has(id))).toEqual([]);
});

test('what is played are conforming agents', () => {
  const known = new Set(variants.map(({ id }) => id));
  expect(
    Object.values(played)
      .flat()
      .filter((id) => !known.has(id)),
  ).toEqual([]);
});

test('a check that warns by its verdict is not a MUST', () => {
  const known = loadAmbiguities();
  const hard = ledgers
    .flatMap(({ rows }) => rows)
    .filter(({ level, ambiguity }) => level === 'must' && ambiguity !== undefined);
  // A verdict that never fails anything belongs to no row of that level.
  const mild = hard.filter(({ ambiguity }) =>
    /SHOULD at most|: a breach warns\.$/.test(known.get(ambiguity ?? '')?.verdict ?? ''),
  );
  expect(mild.map(({ id }) => id)).toEqual([]);
});
