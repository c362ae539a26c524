export type Level = 'must' | 'should' | 'may';
export const levels: readonly Level[] = ['must', 'should', 'may'];

/** Five verdicts; the level is separate and decides what a `fail` does to the gate. */
export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'not-applicable' | 'error';
