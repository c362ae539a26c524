import {
  brief,
  describe,
  inconclusive,
  type Judgement,
  type Outcome,
  type TaskPushConfig,
} from '../../src/kit/index.js';

type Set = Outcome<TaskPushConfig>;

/** Judges a configuration that came back; other checks judge why none came. */
export const ofConfig = (outcome: Set | undefined, judge: (config: TaskPushConfig) => Judgement): Judgement =>
  outcome?.kind === 'result'
    ? judge(outcome.value)
    : inconclusive(`no configuration came: ${outcome && describe(outcome)}`);

export const same = (what: string, sent: unknown, found: unknown): Judgement =>
  found === sent ? undefined : `sent ${what} ${brief(sent)}, given ${brief(found)}`;
