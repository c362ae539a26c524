// Tests an agent whose answers all come late, in memory and virtual time: how long a run takes, and how long it would
// take if it waited only for the longest chain of requests that each need the answer to the one before.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const url = 'http://agent.test';

/** Seconds of a run on an agent whose answers come `lateMs` late, as by default and with no limit of checks in flight. */
export async function benchSlow(dist, lateMs) {
  const load = (file) => import(pathToFileURL(join(dist, file)).href);
  const [{ dialectById }, reference, { run }, wire, { rules }] = await Promise.all(
    ['src/dialect/index.js', 'src/reference/index.js', 'src/run/index.js', 'src/wire/index.js', 'suites/index.js'].map(
      load,
    ),
  );
  const dialect = dialectById('a2a-1.0');

  async function seconds(concurrency, slowConcurrency) {
    const clock = wire.virtualClock();
    const webhooks = wire.memoryWebhooks('http://127.0.0.1:48080');
    const agent = reference.createAgent({
      dialect,
      clock,
      baseUrl: url,
      patches: [],
      outbound: webhooks.carrier,
      webhookHosts: reference.kitWebhooks,
    });
    const options = {
      rules,
      selection: { suites: [], checks: [], level: 'may' },
      rawSocket: false,
      seed: 1,
      limits: { timeoutMs: 10_000, maxBytes: 4 << 20 },
      concurrency,
      slowConcurrency,
      readOnly: false,
      credentials: [],
      secrets: [],
      allowedOrigins: [],
      behaviours: {},
      strict: false,
      kit: { name: 'a2a-tck', version: 'bench' },
      url,
      profile: dialect.id,
      clock,
      redactor: wire.openly,
      webhooks: webhooks.open,
      carrier: async (request, signal) => {
        await wire.sleep(clock, lateMs);
        return agent.handle(request, signal);
      },
    };
    const report = await run(options, () => undefined).finally(() => agent.stop());
    return report.run.durationMs / 1000;
  }

  return { usual: await seconds(8, 24), chain: await seconds(8, 1000) };
}
