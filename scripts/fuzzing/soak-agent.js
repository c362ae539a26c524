// A thread of the soak: one campaign on one agent that is right, and what was held against it all the same.
import { parentPort } from 'node:worker_threads';
import { campaign } from './campaign.js';
import { fuzzOn, serveOne, stageAgent, variantsOf } from './stage.js';

/** A weakness that a variant is known to have breaks no sentence, and is a true finding. */
const isHeldAgainst = (profile, variant) => {
  const { weaknesses = [] } = variantsOf(profile).find(({ id }) => id === variant) ?? {};
  return ({ level, bucket }) => level !== undefined || !weaknesses.some((weakness) => bucket.startsWith(weakness));
};

/**
 * @param {{ profile: string, variant?: string, seed: number, cases: number, histories: number, sockets: boolean,
 *   concurrency: number }} job
 */
async function soak({ profile, variant, seed, cases, histories, sockets, concurrency }) {
  const phases = [
    { runs: cases, races: 0.05 },
    { runs: histories, races: 1, guided: false },
  ];
  const summary = { profile, variant: variant ?? 'clean', cases: 0, histories: 0, requests: 0, findings: [], cuts: [] };
  for (const [at, settings] of phases.entries()) {
    if (settings.runs === 0) continue;
    const agent = await (sockets ? serveOne : stageAgent)({ profile, variant });
    // Nothing that is found is made small for long.
    const outcome = await fuzzOn({ ...agent, profile, seed }, campaign({ ...settings, concurrency, shrinkCap: 60 }));
    await agent.close();
    summary[at === 0 ? 'cases' : 'histories'] += outcome.summary.cases;
    summary.requests += outcome.summary.requests;
    if (outcome.summary.cut !== undefined) summary.cuts.push(outcome.summary.cut);
    if (agent.crashes.length > 0) summary.cuts.push(`the agent itself crashed: ${agent.crashes[0]}`);
    summary.findings.push(
      ...outcome.findings
        .filter(isHeldAgainst(profile, variant))
        .map(({ bucket, title, detail, confirmed, replay, case: number }) => ({
          profile,
          variant: summary.variant,
          seed,
          case: number,
          bucket,
          title,
          detail,
          confirmed: `${confirmed.times}/${confirmed.of}`,
          replay,
        })),
    );
  }
  return summary;
}

parentPort?.on('message', (job) => {
  soak(job).then(
    (result) => parentPort?.postMessage({ result }),
    (error) => parentPort?.postMessage({ error: String(error?.stack ?? error) }),
  );
});
