import type { FuzzPhase, FuzzStage } from '../run/index.js';
import type { Case } from './case/case.js';
import { caseDocument, type StoredCase } from './case/stored-case.js';
import { transcode } from './case/transcode.js';
import type { ConfirmationSettings } from './confirm/confirmation.js';
import { replayPhase } from './confirm/replay.js';
import { inTime } from './execute/time.js';
import { bring, type FuzzPart } from './extending.js';
import { fuzzPhase } from './schedule/campaign.js';
import type { CampaignSettings } from './schedule/campaign-settings.js';
import { fuzzParts } from './schedule/parts.js';

export type { Case, Value } from './case/case.js';
export { withAt } from './case/pointer.js';
export { readStoredCase, type StoredCase } from './case/stored-case.js';
export { bring, type FuzzPart } from './extending.js';
export {
  type AnswerPlace,
  type BytesChange,
  changesAt,
  messageChanges,
  placesOfValue,
  textChanges,
} from './mutate/answers.js';
export { fuzzPhase } from './schedule/campaign.js';
export type { CampaignParts, CampaignSettings } from './schedule/campaign-settings.js';
export { fuzzParts } from './schedule/parts.js';

export interface FuzzSettings extends Omit<CampaignSettings, 'corpus' | 'onKept'>, ConfirmationSettings {
  /** Run first, whatever their dialect; those that cannot be translated to the agent's dialect are left out. */
  readonly corpus?: readonly StoredCase[];
  /** Called with the document of each case that showed something new. */
  readonly onKept?: (document: unknown) => void;
  /** Run again in place of new cases. */
  readonly replay?: readonly StoredCase[];
  /** What the packs of the agent's profile and of its payments add. Left out: nothing. */
  readonly partsOf?: (stage: FuzzStage) => Promise<readonly FuzzPart[]>;
}

/** A campaign with all generators and oracles, or, with `replay`, stored cases again. */
export function createFuzzPhase({ corpus = [], onKept, replay, partsOf, ...settings }: FuzzSettings): FuzzPhase {
  const campaign: FuzzPhase = (stage) => {
    const spelled = corpus.flatMap((stored) => {
      const found = transcode(stored.case, stage.client.dialect);
      return 'case' in found ? [found.case] : [];
    });
    // The case may contain words of the agent, which may repeat secrets of its caller.
    const kept = onKept && ((fuzzCase: Case) => onKept(stage.redactor.value(caseDocument(fuzzCase, settings.kit))));
    const all = { ...settings, corpus: spelled, ...(kept === undefined ? {} : { onKept: kept }) };
    return fuzzPhase(all, fuzzParts(stage, settings))(stage);
  };
  const chosen = replay === undefined ? campaign : replayPhase(replay, settings, settings);
  const phase: FuzzPhase = async (stage) => {
    for (const part of (await partsOf?.(stage)) ?? []) bring(part);
    return chosen(stage);
  };
  return inTime(settings.timeMs, phase);
}
