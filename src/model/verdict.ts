export type Level = 'must' | 'should' | 'may';
export const levels: readonly Level[] = ['must', 'should', 'may'];

/**
 * Six verdicts; the level is separate and decides what a `fail` does to the gate. Not offered: a MAY that the agent does
 * not do, which breaks nothing.
 */
export type Verdict = 'pass' | 'fail' | 'not-offered' | 'inconclusive' | 'not-applicable' | 'error';
