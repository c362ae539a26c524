import { runAgainst } from '../../src/index.js';

export async function passes(url: string): Promise<boolean> {
  const report = await runAgainst({ url, suites: ['card'], minProof: 50 });
  for (const reason of report.gate.reasons) console.error(reason);
  return report.gate.passed;
}
