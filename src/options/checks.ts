import { choice, flag, integer, list, type Options, ofOneRun, percent, text } from './option.js';

/** Which checks are judged, and what the gate asks for. */
export const checks = {
  suite: list('<names>', 'only these suites, * stands for anything', { api: 'suites' }),
  check: list('<ids>', 'only these checks, * stands for anything', { api: 'checks' }),
  level: choice('<level>', ['must', 'should', 'may'], 'lowest level to run', { usual: 'all', api: 'level' }),
  'min-proof': percent('gate: share of the MUST checks that must pass or fail; 0: no minimum', {
    usual: '50',
    api: 'minProof',
    action: {
      input: 'min-proof',
      about: "Percent of the MUST checks that must be shown either way; the kit's default is 50",
    },
  }),
  'fail-fast': flag('end the run after the first check that fails the gate', { api: 'failFast' }),
  baseline: text('<file>', 'known failures, each with a reason and perhaps a last day', {
    api: 'baseline',
    action: { input: 'baseline', about: 'Known failures, each with a reason' },
  }),
  'update-baseline': flag('write the MUST that fail now into the baseline; with --strict SHOULD too', {
    places: ofOneRun,
    deed: 'writes files',
  }),
  set: text('<id>', 'only checks of this frozen set count for the gate; a2a-tck list sets', {
    usual: 'all',
    api: 'set',
  }),
  'fuzz-runs': integer('<n>', [0, 1_000_000], 'inputs that are tried after the checks; 0: none', {
    usual: '10 in a run of all checks',
    api: 'fuzz.runs',
  }),
  concurrency: integer('<n>', [1, 64], 'checks in flight', { usual: '8, up to 24 on slow agents', api: 'concurrency' }),
  shard: text('<i/n>', 'only this part of the checks, from 1; a2a-tck merge puts the reports together', {
    pattern: '^[0-9]{1,2}/[0-9]{1,2}$',
    places: ofOneRun,
    api: 'shard',
  }),
  attest: text('<file>', 'write the signed result: an in-toto statement about the agent card', {
    places: ofOneRun,
    deed: 'writes files',
  }),
  'attest-key-file': text('<file>', 'a file with the Ed25519 key that signs it (PEM); or A2A_TCK_ATTEST_KEY', {
    places: ofOneRun,
    deed: 'signs or pays with keys',
    secret: 'file',
  }),
} satisfies Options;
