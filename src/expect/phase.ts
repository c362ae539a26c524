import { TckError } from '../model/index.js';
import type { ExpectationResult } from '../report/index.js';
import type { ExpectPhase, ExpectStage } from '../run/index.js';
import { excerpt } from '../wire/index.js';
import { converse, type Played } from './answer.js';
import { defectsOf } from './defects.js';
import { demandsOf, type Expectation, inSeconds } from './expectation.js';
import { type Held, judgeOf } from './judge.js';

/** Characters of an answer in which secrets are looked for before its beginning is shown. */
const searched = 20_000;
const shown = 300;

/** One time of an expectation: what was judged, and what came. */
interface Time {
  readonly held: Held;
  readonly isAnswered: boolean;
  readonly came: string;
}

async function timeOf(played: Played, expectation: Expectation, judge: ReturnType<typeof judgeOf>): Promise<Time> {
  switch (played.kind) {
    case 'answer': {
      const held = await judge(played.answer);
      const isAnswered = held.broken.length > 0 || held.undecided.length === 0;
      return { held, isAnswered, came: `${played.answer.state}: ${played.answer.text}` };
    }
    case 'refused':
      return {
        held: { broken: [`it is refused: ${played.said}`], undecided: [] },
        isAnswered: true,
        came: played.said,
      };
    case 'late': {
      const sentence = `no answer in ${inSeconds(played.ms)}`;
      const isTimed = expectation.within !== undefined || expectation.first !== undefined;
      const held = isTimed ? { broken: [sentence], undecided: [] } : { broken: [], undecided: [sentence] };
      return { held, isAnswered: isTimed, came: played.said };
    }
    default:
      return { held: { broken: [], undecided: [played.reason] }, isAnswered: false, came: '' };
  }
}

async function ask(expectation: Expectation, stage: ExpectStage): Promise<ExpectationResult> {
  const { runs = 1, least = runs } = expectation;
  const judge = judgeOf(expectation);
  const began = stage.clock.now();
  const exchanges = new Set<string>();
  const times: Time[] = [];
  let off: string | undefined;
  for (let at = 0; at < runs; at++) {
    off = stage.off();
    if (off !== undefined) break;
    const scene = stage.scene(`expect: ${expectation.name}, ${at + 1} of ${runs}`, ({ id }) => exchanges.add(id));
    stage.lacking?.();
    const played = await converse(expectation, scene);
    const reason = stage.lacking?.();
    times.push(await timeOf(reason === undefined ? played : { kind: 'unasked', reason }, expectation, judge));
  }
  const answered = times.filter(({ isAnswered }) => isAnswered);
  const held = answered.filter(({ held: { broken } }) => broken.length === 0).length;
  // Answers that did not come could not save it.
  const isBroken = held + (runs - answered.length) < least;
  const verdict = isBroken ? 'fail' : answered.length < runs ? 'inconclusive' : 'pass';
  const telling =
    verdict === 'fail'
      ? times.find((time) => time.isAnswered && time.held.broken.length > 0)
      : verdict === 'inconclusive'
        ? times.find(({ isAnswered }) => !isAnswered)
        : times[0];
  const why = telling === undefined ? (off ?? '') : [...telling.held.broken, ...telling.held.undecided].join('; ');
  const counted =
    runs === 1 ? '' : `held ${held} of ${runs} times${answered.length < runs ? `, ${answered.length} answered` : ''}: `;
  const clean = (text: string): string => excerpt(stage.redactor.text(text.slice(0, searched)), shown);
  return {
    name: stage.redactor.text(expectation.name),
    verdict,
    reason: verdict === 'pass' ? '' : stage.redactor.text(`${counted}${why}`),
    expected: demandsOf(expectation).map((line) => stage.redactor.text(line)),
    actual: clean(telling?.came ?? ''),
    held,
    answered: answered.length,
    runs,
    least,
    durationMs: Math.round(stage.clock.now() - began),
    exchanges: [...exchanges],
  };
}

/** Judges expectations one after the other. Throws `TckError('usage')` for those that cannot hold or be judged. */
export function createExpectPhase(list: readonly Expectation[]): ExpectPhase {
  const defects = defectsOf(list);
  if (defects.length > 0)
    throw new TckError('usage', defects.map(({ text }) => text).join('; '), 'see docs/expectations.md');
  return async (stage) => {
    const results: ExpectationResult[] = [];
    for (const expectation of list) results.push(await ask(expectation, stage));
    return results;
  };
}
