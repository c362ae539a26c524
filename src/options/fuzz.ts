import { flag, integer, type Options, ofOneRun, onlyArgument, text } from './option.js';

/** A campaign of the fuzzer. */
export const fuzz = {
  runs: integer('<n>', [1, 1_000_000_000], 'cases to try', { usual: '1000', places: ofOneRun, api: 'fuzz.runs' }),
  time: integer('<seconds>', [1, 1_000_000], 'end after this time, confirmations included', {
    places: ofOneRun,
    api: 'fuzz.timeMs',
  }),
  corpus: text('<folder>', 'begin with the cases in it, and add those that show something new', {
    places: ofOneRun,
    deed: 'writes files',
    api: 'fuzz.corpus',
  }),
  out: text('<folder>', 'where findings go: a case and a script each', {
    usual: 'a2a-tck-findings',
    places: ofOneRun,
    deed: 'writes files',
  }),
  replay: text('<file>', 'run stored cases again, and nothing else: a case or a folder of them', {
    places: onlyArgument,
    api: 'fuzz.replay',
  }),
  confirm: integer('<n>', [1, 20], 'runs from scratch that confirm a finding', {
    usual: '3',
    places: ofOneRun,
    api: 'fuzz.confirmations',
  }),
  unguided: flag('choose each case without regard to earlier answers', { places: ofOneRun, api: 'fuzz.guided' }),
  concurrency: integer('<n>', [1, 64], 'cases in flight', { usual: '1', api: 'concurrency' }),
} satisfies Options;
