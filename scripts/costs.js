// Measures what the checks cost on the reference agent: schemas/costs.json, from which a run estimates its cost.
// Messages that the agent must work on, and other requests: of each source, and of each check beside the sources it
// uses.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = (path) => import(join(root, 'dist', path));
const { dialects } = await dist('src/dialect/index.js');
const { createAgent, memoryArchive, variants } = await dist('src/reference/index.js');
const { run } = await dist('src/run/index.js');
const { virtualClock, memoryWebhooks } = await dist('src/wire/index.js');
const { rules } = await dist('suites/index.js');

const kinds = new Map(rules.map(({ id, kind }) => [id, kind]));
const sources = {};
const checks = {};
/** How the tape names the requests of a source. */
const ofSource = 'source: ';
// What several agents show stands at the first; the others have what it lacks.
for (const [id, name] of [
  ['a2a-1.0', undefined],
  ['a2a-1.0', 'streaming-and-push'],
  ['a2a-1.0', 'all-bindings-everything'],
  ['a2a-0.3', undefined],
  ['a2a-0.3', 'streaming-and-push'],
]) {
  const { patch, headers = [], secondHeaders = [] } = variants.find((variant) => variant.id === name) ?? {};
  const dialect = dialects.find((dialect) => dialect.id === id);
  const clock = virtualClock();
  const webhooks = memoryWebhooks('http://127.0.0.1:48080');
  const agent = createAgent({
    dialect,
    clock,
    baseUrl: 'http://agent.test',
    patches: patch === undefined ? [] : [patch],
    archive: memoryArchive(),
    outbound: webhooks.carrier,
    webhookHosts: ['127.0.0.1'],
  });
  const report = await run(
    {
      rules,
      selection: { suites: [], checks: [], level: 'may' },
      rawSocket: false,
      seed: 1,
      concurrency: 8,
      limits: { timeoutMs: 10_000, maxBytes: 4 << 20 },
      readOnly: false,
      credentials: headers,
      secondCredentials: secondHeaders,
      secrets: [],
      allowedOrigins: [],
      behaviours: {},
      strict: false,
      kit: { name: 'a2a-tck', version: 'costs' },
      url: 'http://agent.test',
      profile: id,
      carrier: (request, signal) => agent.handle(request, signal),
      clock,
      webhooks: webhooks.open,
    },
    () => undefined,
  );
  agent.stop();
  const costOf = new Map();
  for (const { purpose, call, toWebhook } of report.exchanges) {
    if (toWebhook === true) continue;
    const cost = costOf.get(purpose) ?? [0, 0];
    cost[call?.operation === 'send' || call?.operation === 'stream' ? 0 : 1]++;
    costOf.set(purpose, cost);
  }
  const purposeOf = new Map(report.exchanges.map((exchange) => [exchange.id, exchange.purpose]));
  for (const rule of report.checks) {
    const used = new Set(
      rule.exchanges.map((exchange) => purposeOf.get(exchange)).filter((item) => item?.startsWith(ofSource)),
    );
    for (const item of used) sources[item.slice(ofSource.length)] ??= costOf.get(item);
    const own = costOf.get(rule.id) ?? [0, 0];
    if (own[0] + own[1] + used.size > 0 && kinds.get(rule.id) === 'check')
      checks[rule.id] ??= { own, uses: [...used].map((item) => item.slice(ofSource.length)).sort() };
  }
}
const table = (all) =>
  Object.entries(all)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value).replace(/(?<=[,:])(?=["[\d])/g, ' ')}`,
    )
    .join(',\n');
writeFileSync(
  join(root, 'schemas/costs.json'),
  `{\n  "sources": {\n${table(sources)}\n  },\n  "checks": {\n${table(checks)}\n  }\n}\n`,
);
