import type { Dialect } from '../src/dialect/index.js';
import type { CallStep } from '../src/fuzz/case/case.js';
import type { Spelled } from '../src/fuzz/case/spelled.js';
import { createSpell } from '../src/fuzz/execute/spell.js';
import { createGenerator } from '../src/fuzz/generate/create-generator.js';
import { createDictionary } from '../src/fuzz/generate/dictionary.js';
import type { Generator } from '../src/fuzz/generate/generator.js';
import { createInspector } from '../src/ledger/schemas.js';
import { type Card, member, unknownCard } from '../src/model/index.js';
import { createAgent, kitWebhooks, variants } from '../src/reference/index.js';
import { bodyText, type Header, virtualClock } from '../src/wire/index.js';

// Reference agents in memory, and requests of the fuzzer to them, one at a time.

export interface Answer {
  readonly spelled: Spelled;
  readonly status: number;
  readonly text: string;
  /** The JSON-RPC error code, `result`, or `none` where no JSON-RPC response came. */
  readonly came: number | 'result' | 'none';
}

export interface SpelledAgent {
  readonly generator: Generator;
  /** What the agent threw inside. */
  readonly crashes: readonly unknown[];
  send(step: CallStep): Promise<Answer>;
  stop(): void;
}

const endpoint = 'http://agent.test/';

/** All that the dialect has is offered. */
export const ableCard = (dialect: Dialect): Card => ({
  ...unknownCard,
  capabilities: {
    streaming: dialect.operations.stream !== undefined,
    push: dialect.operations.pushSet !== undefined,
    extendedCard: false,
    extensions: [],
  },
  inputModes: ['text/plain', 'application/json', 'image/png'],
  outputModes: ['text/plain'],
});

export function generatorFor(dialect: Dialect, card = ableCard(dialect), readOnly = false): Generator {
  const dictionary = createDictionary({ card, behaviours: {} });
  return createGenerator({ dialect, card, dictionary, readOnly, rawSocket: true, maxBytes: 64 * 1024 });
}

export function spelledAgent(dialect: Dialect): SpelledAgent {
  const clock = virtualClock();
  const able = variants.find(
    ({ id, profiles }) =>
      (id === 'streaming-and-push' || id === 'streaming') && (profiles === undefined || profiles.includes(dialect.id)),
  );
  const both = variants.find(({ id, profiles }) => id === 'streaming-and-push' && profiles?.includes(dialect.id));
  const patch = (both ?? able)?.patch;
  const agent = createAgent({
    dialect,
    clock,
    baseUrl: endpoint,
    webhookHosts: kitWebhooks,
    patches: patch === undefined ? [] : [patch],
    xpr: { mode: 'optional', rateLimit: Number.POSITIVE_INFINITY },
  });
  const card = agent.seams.card();
  const spell = createSpell({ inspector: createInspector(dialect.schemas) });
  const target = `${endpoint.slice(0, -1)}${dialect.endpointPath || '/'}`;
  let order = 0;
  return {
    generator: generatorFor(dialect, { ...card, inputModes: card.inputModes }),
    crashes: agent.crashes,
    async send(step) {
      const rpcId = `f${String(order++).padStart(7, '0')}`;
      const spelled = spell(step, { dialect, rpcId, resolve: () => undefined, endpoint: target, credentials: [] });
      const type = spelled.contentType === undefined ? 'application/json' : spelled.contentType;
      const headers: readonly Header[] = [
        ...(type === null ? [] : [['content-type', type] as const]),
        ...dialect.headers,
        ...(spelled.headers ?? []),
      ];
      const method = spelled.method ?? 'POST';
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: spelled.body };
      const gone = new AbortController();
      const response = await agent.handle({ method, url: spelled.url ?? target, headers, ...body }, gone.signal);
      let text = '';
      for await (const chunk of response.body) {
        text += bodyText(chunk);
        // The first event of a stream tells whether it was refused.
        if (text.startsWith('data:') || text.includes('\ndata:')) break;
      }
      return { spelled, status: response.status, text, came: cameOf(text) };
    },
    stop: agent.stop,
  };
}

function cameOf(text: string): Answer['came'] {
  const json = /^data: ?(.*)$/m.exec(text)?.[1] ?? text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return 'none';
  }
  const code = member(member(value, 'error'), 'code');
  if (typeof code === 'number') return code;
  return member(value, 'result') === undefined ? 'none' : 'result';
}
