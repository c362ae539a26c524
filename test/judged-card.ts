import { dialectById, type ProfileId } from '../src/dialect/index.js';
import type { Target } from '../src/kit/index.js';
import { loadLedger } from '../src/ledger/index.js';
import { createInspector } from '../src/ledger/schemas.js';
import { unknownCard } from '../src/model/index.js';
import { readTape, tryLaw } from '../src/run/judge.js';
import { planAll } from '../src/run/plan.js';
import { type Exchange, openly } from '../src/wire/index.js';
import { rules } from '../suites/index.js';

const url = 'https://agent.example/.well-known/agent-card.json';

/** What the laws about the card say of a document, judged as one version; without an agent behind it. */
export function judgeCard(profile: ProfileId, document: unknown) {
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error(`no dialect ${profile}`);
  const exchange: Exchange = {
    id: 'x1',
    purpose: 'detection',
    request: { method: 'GET', url, headers: [] },
    response: {
      status: 200,
      reason: 'OK',
      headers: [['content-type', 'application/json']],
      body: Buffer.from(JSON.stringify(document)),
      durationMs: 1,
    },
  } as unknown as Exchange;
  const target: Target = {
    url: 'https://agent.example',
    endpoint: 'https://agent.example/',
    cardUrl: url,
    card: dialect.card.decode(document) ?? unknownCard,
    cardDocument: document,
    cardExchange: exchange,
    origins: ['https://agent.example'],
  };
  const readings = readTape([exchange], dialect, { plain: createInspector(dialect.schemas) }, exchange);
  return planAll(rules, loadLedger(dialect.ledger))
    .filter(({ rule }) => rule.kind === 'law' && /^(card|signature|data\/no-nulls)/.test(rule.id))
    .map((planned) => {
      const trial = tryLaw(planned, { target, text: undefined }, () => 0, openly);
      for (const reading of readings) trial.see(reading, readings);
      return trial.end();
    });
}
