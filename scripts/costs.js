// Measures what the checks cost on the reference agent: schemas/costs.json, from which a run tells its cost beforehand.
// Per check the messages that the agent must work on, and other requests; "shared" is what checks find together.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = (path) => import(join(root, 'dist', path));
const { dialects } = await dist('src/dialect/index.js');
const { createAgent, memoryArchive } = await dist('src/reference/index.js');
const { run } = await dist('src/run/index.js');
const { virtualClock, memoryWebhooks } = await dist('src/wire/index.js');
const { rules } = await dist('suites/index.js');

const costs = {};
let shared = [0, 0];
for (const id of ['a2a-0.3', 'a2a-1.0']) {
  const dialect = dialects.find((one) => one.id === id);
  const clock = virtualClock();
  const webhooks = memoryWebhooks('http://127.0.0.1:48080');
  const agent = createAgent({
    dialect,
    clock,
    baseUrl: 'http://agent.test',
    patches: [],
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
      credentials: [],
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
  const ids = new Set(report.checks.map((one) => one.id));
  const own = {};
  const common = [0, 0];
  for (const { purpose, call, toWebhook } of report.exchanges) {
    if (toWebhook === true) continue;
    const at = call?.operation === 'send' || call?.operation === 'stream' ? 0 : 1;
    if (ids.has(purpose)) own[purpose] ??= [0, 0];
    const cost = own[purpose] ?? common;
    cost[at]++;
  }
  Object.assign(costs, own);
  shared = common;
}
const sorted = Object.fromEntries(Object.entries(costs).sort(([a], [b]) => (a < b ? -1 : 1)));
const lines = Object.entries(sorted).map(
  ([id, cost]) => `    ${JSON.stringify(id)}: ${JSON.stringify(cost).replace(',', ', ')}`,
);
writeFileSync(
  join(root, 'schemas/costs.json'),
  `{\n  "shared": [${shared.join(', ')}],\n  "checks": {\n${lines.join(',\n')}\n  }\n}\n`,
);
