// A thread of the benches: one campaign on one agent, and what it took.
import { parentPort } from 'node:worker_threads';
import { campaign } from './campaign.js';
import { fuzzOn, stageAgent } from './stage.js';

const causeOf = ({ cause, bucket }) => cause ?? bucket;

/**
 * Fuzzes an agent with a fault until a finding is confirmed that an oracle of the fault saw, or for so many requests.
 * @param {{ profile: string, fault: string, seed: number, cap: number, guided?: boolean, shrinks?: boolean }} job
 * @returns requests up to the case that showed it (null: not found), and what was found
 */
export async function measure({ profile, fault, seed, cap, guided = true, shrinks = false }) {
  const stop = new AbortController();
  const agent = await stageAgent({ profile, fault });
  let before = 0;
  /** By cause: another operation may show it better than the one that showed it first. */
  const suspectedAt = new Map();
  const causeOfFinding = new Map();
  let found;
  const sent = () => agent.requests() - before;
  const changes = {
    signal: stop.signal,
    onFinding(finding) {
      const seen = agent.fault.seenBy.includes(finding.oracle);
      const requests = suspectedAt.get(causeOfFinding.get(finding.id));
      // The campaign reports a symptom that waits for a better case only at its end, though it saw it before.
      if (seen && (found === undefined || requests < found.requests)) found = { finding, requests };
      if (seen || sent() > cap) stop.abort();
    },
    onProgress: () => {
      if (sent() > cap) stop.abort();
    },
  };
  const settings = { runs: cap, guided, ...(shrinks ? {} : { shrinkCap: 0 }) };
  // A case that shows the same each time comes later than the one that found it.
  const onSuspect = ({ symptom, steadily }) => (steadily ? undefined : suspectedAt.set(causeOf(symptom), sent()));
  const onConfirmed = ({ finding }, { symptom }) => causeOfFinding.set(finding.id, causeOf(symptom));
  const phase = (stage) => {
    before = agent.requests();
    return campaign(settings, { onSuspect, onConfirmed })(stage);
  };
  const { summary, findings } = await fuzzOn({ ...agent, profile, seed }, phase, changes);
  agent.close();
  const inTime = found !== undefined && found.requests <= cap ? found : undefined;
  return {
    fault,
    seed,
    requests: inTime?.requests ?? null,
    bucket: inTime?.finding.bucket,
    confirmed: inTime && `${inTime.finding.confirmed.times}/${inTime.finding.confirmed.of}`,
    steps: inTime?.finding.steps,
    others: findings.filter((finding) => finding !== found?.finding).map(({ bucket }) => bucket),
    sent: summary.requests,
    cut: summary.cut,
  };
}

parentPort?.on('message', (job) => {
  measure(job).then(
    (result) => parentPort?.postMessage({ result }),
    (error) => parentPort?.postMessage({ error: String(error?.stack ?? error) }),
  );
});
