import type { FuzzPhase } from '../run/index.js';
import { fuzzPhase } from './campaign.js';
import type { CampaignSettings } from './campaign-settings.js';
import type { Case } from './case.js';
import { fuzzParts } from './parts.js';
import { replayPhase } from './replay.js';
import type { SettleSettings } from './settle.js';
import { caseDocument, type StoredCase } from './stored-case.js';
import { inTime } from './time.js';
import { transcode } from './transcode.js';

export { fuzzPhase } from './campaign.js';
export type { CampaignParts, CampaignSettings } from './campaign-settings.js';
export type { Case } from './case.js';
export { fuzzParts } from './parts.js';
export { readStoredCase, type StoredCase } from './stored-case.js';

export interface FuzzSettings extends Omit<CampaignSettings, 'corpus' | 'onKept'>, SettleSettings {
  /** Run first, whatever their dialect; those that cannot be translated to the agent's dialect are left out. */
  readonly corpus?: readonly StoredCase[];
  /** Called with the document of each case that showed something new. */
  readonly onKept?: (document: unknown) => void;
  /** Run again in place of new cases. */
  readonly replay?: readonly StoredCase[];
}

/** A campaign with all generators and oracles, or, with `replay`, stored cases again. */
export function createFuzzPhase({ corpus = [], onKept, replay, ...settings }: FuzzSettings): FuzzPhase {
  const campaign: FuzzPhase = (stage) => {
    const spelled = corpus.flatMap((stored) => {
      const found = transcode(stored.case, stage.client.dialect);
      return 'case' in found ? [found.case] : [];
    });
    // The case may contain words of the agent, which may repeat secrets of its caller.
    const kept = onKept && ((one: Case) => onKept(stage.redactor.value(caseDocument(one, settings.kit))));
    const all = { ...settings, corpus: spelled, ...(kept === undefined ? {} : { onKept: kept }) };
    return fuzzPhase(all, fuzzParts(stage, settings))(stage);
  };
  const phase = replay === undefined ? campaign : replayPhase(replay, settings, settings);
  return inTime(settings.timeMs, phase);
}
