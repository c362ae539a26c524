import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Part } from '../model/index.js';
import { plural } from '../wire/index.js';
import type { Answer } from './answer.js';
import { bounded, mostOfFunction, thrownBy } from './bounded.js';
import { newAjv } from './defects.js';
import { type Expectation, inSeconds, listOf } from './expectation.js';

/** What of an answer does not hold, and what could not be decided. */
export interface Held {
  readonly broken: readonly string[];
  readonly undecided: readonly string[];
}

const holds = (texts: readonly string[], wanted: string): boolean =>
  texts.some((text) => text.toLowerCase().includes(wanted.toLowerCase()));

/** `image/png; q=1` fits `image/*`. */
function isOfType(part: Part, wanted: string): boolean {
  const usual = { text: 'text/plain', data: 'application/json', file: '' }[part.kind];
  const full = (part.kind === 'file' ? part.mediaType : undefined) ?? usual;
  const [type = ''] = full.toLowerCase().split(';');
  const sought = wanted.toLowerCase();
  return sought.endsWith('/*') ? type.trim().startsWith(sought.slice(0, -1)) : type.trim() === sought;
}

const dataIn = ({ parts }: Answer): readonly unknown[] =>
  parts.flatMap((part) => (part.kind === 'data' ? [part.data] : []));

/** Judges answers by one expectation. `limitMs`: of its function. */
export function judgeOf(expectation: Expectation, limitMs = mostOfFunction): (answer: Answer) => Promise<Held> {
  const expression = expectation.matches === undefined ? undefined : new RegExp(expectation.matches, 'u');
  let validate: ValidateFunction | undefined;
  if (expectation.data !== undefined) validate = newAjv().compile(expectation.data);
  return async (answer) => {
    const broken: string[] = [];
    const undecided: string[] = [];
    const notDecided = (error: unknown) =>
      undecided.push(`not decided: ${error instanceof Error ? error.message : String(error)}`);
    const demand = (isMet: () => boolean, sentence: () => string): void => {
      try {
        if (!bounded(isMet)) broken.push(sentence());
      } catch (error) {
        notDecided(error);
      }
    };
    const { state, within, first } = expectation;
    const isEnded = !answer.isAtWork || (state !== undefined && listOf<string>(state).includes(answer.state));
    if (!isEnded) {
      const sentence = `the task is ${answer.state} after ${inSeconds(answer.ms)}`;
      // The end of the answer is what has to come within a time; all else is said of that end.
      (within === undefined ? undecided : broken).push(sentence);
    } else if (state !== undefined && !listOf<string>(state).includes(answer.state)) {
      broken.push(`the state is ${answer.state}`);
    }
    if (isEnded) {
      for (const text of listOf(expectation.contains))
        demand(
          () => holds([answer.text], text),
          () => `the text does not contain ${JSON.stringify(text)}`,
        );
      if (expression !== undefined)
        demand(
          () => expression.test(answer.text),
          () => `the text does not match ${expectation.matches}`,
        );
      const { artifact } = expectation;
      if (
        artifact !== undefined &&
        !answer.artifacts.some(({ parts }) => parts.some((part) => isOfType(part, artifact)))
      )
        broken.push(`no artifact is ${artifact}`);
      if (validate !== undefined) ofData(dataIn(answer), validate, demand);
    }
    for (const text of listOf(expectation.lacks))
      demand(
        () => !holds(answer.said, text),
        () => `it contains ${JSON.stringify(text)}`,
      );
    const secrets = listOf(expectation.never);
    for (const [at, secret] of secrets.entries())
      demand(
        () => !holds(answer.said, secret),
        () => `it contains ${secrets.length === 1 ? 'the secret' : `secret ${at + 1} of ${secrets.length}`}`,
      );
    if (isEnded && within !== undefined && answer.ms > 1000 * within)
      broken.push(`the answer took ${inSeconds(answer.ms)}`);
    if (first !== undefined && (answer.firstMs ?? 0) > 1000 * first)
      broken.push(`the first event came after ${inSeconds(answer.firstMs ?? 0)}`);
    if (isEnded && expectation.holds !== undefined) {
      const { state: last, text, artifacts, events, ms } = answer;
      const shown = { state: last, text, artifacts, data: dataIn(answer), events, seconds: ms / 1000 };
      const thrown = await thrownBy(expectation.holds, shown, limitMs).catch(notDecided);
      if (typeof thrown === 'string') broken.push(thrown);
    }
    return { broken, undecided };
  };
}

function ofData(
  values: readonly unknown[],
  validate: ValidateFunction,
  demand: (isMet: () => boolean, sentence: () => string) => void,
): void {
  demand(
    () => values.some((value) => validate(value) === true),
    () => {
      if (values.length === 0) return 'the answer has no data';
      const [{ instancePath = '', message = 'it does not fit' } = {}] = validate.errors ?? [];
      const more = values.length === 1 ? '' : ` (the last of ${plural(values.length, 'value')})`;
      return `data does not fit the schema: ${instancePath === '' ? 'it' : instancePath} ${message}${more}`;
    },
  );
}
