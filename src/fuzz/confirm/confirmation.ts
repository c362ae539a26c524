import type { FuzzStage } from '../../run/index.js';
import { findingOf } from '../report/finding.js';
import type { Attempt, Confirmed, Settle, Suspect } from '../schedule/campaign-settings.js';
import { settleFinding } from './settlement.js';
import { createStepJudge } from './step-judge.js';

export interface ConfirmationSettings {
  /** Runs from scratch that confirm a finding; default 3. */
  readonly confirmations?: number;
  /** Cases that are run to shrink one finding; default 200. */
  readonly shrinkCap?: number;
  /** How long shrinking one finding may take, ms; default a minute. */
  readonly shrinkMs?: number;
  /** Name and version of the kit, for what is stored. */
  readonly kit: string;
}

/** The finding of a suspect that the time does not let the kit run again. */
export function unconfirmedOf(suspect: Suspect, seen: Attempt, stage: FuzzStage, kit: string): Confirmed {
  const { symptom } = suspect;
  const unconfirmed = { ...symptom, detail: `${symptom.detail}; not confirmed, because the time was over` };
  const settled = { case: seen.trace.case, symptom: unconfirmed, times: 0, of: 0, shown: [seen] };
  const { finding, exchanges } = findingOf(settled, suspect, stage, kit);
  return { finding: { ...finding, unconfirmed: 'for want of time' }, exchanges };
}

/** Confirms a suspect, shrinks its case, and makes its finding. */
export const createConfirmation =
  ({ confirmations = 3, shrinkCap = 200, shrinkMs = 60_000, kit }: ConfirmationSettings): Settle =>
  async (suspect, bench, stage) => {
    const settled = await settleFinding(suspect, bench, {
      confirmations,
      shrinking: { executions: shrinkCap, ms: shrinkMs },
      clock: stage.clock,
      judgeStep: createStepJudge(stage.inspector),
      ...(stage.restart === undefined ? {} : { renew: stage.restart }),
    });
    if (settled === undefined) return undefined;
    return { ...findingOf(settled, suspect, stage, kit), ...(settled.isHasty ? { isHasty: true } : {}) };
  };
