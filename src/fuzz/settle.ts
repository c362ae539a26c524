import type { Settle } from './campaign-settings.js';
import { findingOf } from './finding.js';
import { settleFinding } from './settlement.js';
import { createStepJudge } from './step-judge.js';

export interface SettleSettings {
  /** Runs from scratch that confirm a finding; default 3. */
  readonly confirmations?: number;
  /** Cases that are run to make one finding small; default 200. */
  readonly shrinkCap?: number;
  /** And how long that may take, ms; default a minute. */
  readonly shrinkMs?: number;
  /** Name and version of the kit, for what is stored. */
  readonly kit: string;
}

/** Confirms a suspect, makes it small, and writes down how it is shown. */
export const createSettle =
  ({ confirmations = 3, shrinkCap = 200, shrinkMs = 60_000, kit }: SettleSettings): Settle =>
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
