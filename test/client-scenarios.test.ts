import { expect, test } from 'vitest';
import { referenceClient } from '../fixtures/clients/index.js';
import { type Playing, play, type Scenario, scenarios } from '../src/clients/index.js';
import { roomFor } from '../src/clients/recorder.js';
import { type Dialect, dialectById, isFor } from '../src/dialect/index.js';
import type { ClientCall } from '../src/kit/index.js';
import { createInspector, type Inspector } from '../src/ledger/schemas.js';
import { bodyText, createRedactor, exchangeIds, mediaType } from '../src/wire/index.js';

// A client fails where card and answers are right: so they are, in every scenario that is not about an answer that is not.

/** The answers of these are not valid, or have what no version has. */
const broken: ReadonlySet<string> = new Set([
  'answer-event-no-version',
  'answer-more-members',
  'answer-result-and-error',
  'answer-rpc-1',
  'answer-unknown-state',
  'busy',
  'stream-cut',
  'stream-refused-by-status',
  'stream-unknown-payload',
]);
const atOnce = 12;

const valuesIn = ({ exchange: { response } }: ClientCall): readonly unknown[] => {
  if (response === undefined || response.body.length === 0 || response.cut === true) return [];
  const text = bodyText(response.body);
  if (mediaType(response.headers) !== 'text/event-stream') return response.status >= 300 ? [] : [JSON.parse(text)];
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n\r\n|\n\n|\r\r/)
    .map((event) => [...event.matchAll(/^data: ?(.*)$/gm)].map(([, data]) => data).join('\n'))
    .filter((data) => data !== '')
    .map((data) => JSON.parse(data));
};

/**
 * Cards that are difficult by what their schema advises against or reads strictly: a patch number (3.6: SHOULD NOT), and
 * what has a default by its own words (AMB03-02).
 */
const doubtful: ReadonlySet<string> = new Set(['card-without-transport', 'interface-patch-version']);

/** What breaks the schemas in one scenario. */
async function wrongIn(scenario: Scenario, dialect: Dialect, inspector: Inspector): Promise<readonly string[]> {
  const playing: Playing = {
    dialect,
    inspector,
    nextId: exchangeIds(),
    signal: new AbortController().signal,
    spellings: new Map(),
    room: roomFor(64 << 20),
    redactor: createRedactor([]),
  };
  const { calls } = await play(scenario, referenceClient(), playing);
  return calls.flatMap((call) => {
    const { is, operation, exchange } = call;
    const isRead =
      is === 'card' ? exchange.response?.status === 200 : operation !== undefined && !broken.has(scenario.id);
    if (!isRead) return [];
    const ref = is === 'card' ? 'agent-card.schema.json' : `rpc.schema.json#/$defs/${operation}.response`;
    return valuesIn(call).flatMap((value) =>
      inspector
        .inspect(ref, value)
        .findings.map(
          ({ path, message }) => `${scenario.id}, ${is === 'card' ? 'card' : operation}${path}: ${message}`,
        ),
    );
  });
}

test.each(['a2a-1.0', 'a2a-0.3', 'a2a-0.2'])(
  'cards and answers of scenarios of %s have the form of the version',
  async (id) => {
    const dialect = dialectById(id) as Dialect;
    const waiting = scenarios.filter((scenario) => isFor(scenario, dialect) && !doubtful.has(scenario.id));
    const inspector = createInspector(dialect.schemas);
    const wrong: string[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        wrong.push(...(await wrongIn(next, dialect, inspector)));
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    expect([...new Set(wrong)]).toEqual([]);
  },
  120_000,
);
