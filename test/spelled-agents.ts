import { xprAgent } from '../packs/xpr/agent/index.js';
import { failureOf, grpcAnswer, loadGrpc, streamingOperations } from '../src/binding/index.js';
import { type Dialect, isFor } from '../src/dialect/index.js';
import type { CallStep } from '../src/fuzz/case/case.js';
import type { Spelled } from '../src/fuzz/case/spelled.js';
import { createSpell } from '../src/fuzz/execute/spell.js';
import { createGenerator } from '../src/fuzz/generate/create-generator.js';
import { createDictionary } from '../src/fuzz/generate/dictionary.js';
import type { Generator } from '../src/fuzz/generate/generator.js';
import { createInspector } from '../src/ledger/schemas.js';
import { type Card, unknownCard } from '../src/model/index.js';
import { createAgent, kitWebhooks, variants } from '../src/reference/index.js';
import { bodyText, virtualClock, type WireRequest } from '../src/wire/index.js';

// Messages of gRPC are made without waiting.
await loadGrpc();

// Reference agents in memory, and requests of the fuzzer to them, one at a time.

export interface Answer {
  readonly spelled: Spelled;
  readonly status: number;
  readonly text: string;
  /**
   * The JSON-RPC error code, or the code of the error of that name; `result`; `none` where the answer is none of the
   * binding; `unsent` where the request has no form in it.
   */
  readonly came: number | 'result' | 'none' | 'unsent';
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
  const named = (id: string) => variants.find((variant) => variant.id === id && isFor(variant, dialect));
  const able = named('streaming-and-push') ?? named('streaming');
  const agent = createAgent({
    dialect,
    clock,
    baseUrl: endpoint,
    webhookHosts: kitWebhooks,
    patches: able === undefined ? [] : [able.patch],
    ...(dialect.signed === undefined
      ? {}
      : { part: xprAgent(dialect, { settings: { mode: 'optional', rateLimit: Number.POSITIVE_INFINITY } }) }),
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
      if (spelled.unsent !== undefined) return { spelled, status: 0, text: spelled.unsent, came: 'unsent' };
      const gone = new AbortController();
      const response = await agent.handle(requestOf(spelled, dialect, target), gone.signal);
      let text = '';
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) {
        text += bodyText(chunk);
        chunks.push(chunk);
        // The first event of a stream shows whether the agent refused it.
        if (text.startsWith('data:') || text.includes('\ndata:')) break;
        if (spelled.native?.http2 === true && streamingOperations.has(step.operation)) break;
      }
      const { status } = response;
      if (spelled.native?.http2 !== true) return { spelled, status, text, came: cameOf(text, status, dialect) };
      const trailers = response.trailers?.();
      const reply = { status, headers: response.headers, trailers, body: Buffer.concat(chunks) };
      const answer = grpcAnswer(new URL(spelled.native.url).pathname, reply);
      const end =
        answer === undefined || answer.end.code === 0 || answer.messages.length > 0 ? {} : failureOf(answer.end);
      return { spelled, status, text: JSON.stringify(end), came: cameOf(JSON.stringify(end), status, dialect) };
    },
    stop: agent.stop,
  };
}

function requestOf(spelled: Spelled, dialect: Dialect, target: string): WireRequest {
  const { native, headers = [] } = spelled;
  const whole = native ?? {
    method: spelled.method ?? 'POST',
    url: spelled.url ?? target,
    contentType: spelled.contentType === undefined ? 'application/json' : spelled.contentType,
    body: spelled.body,
  };
  const type = whole.contentType ?? null;
  return {
    method: whole.method,
    url: whole.url,
    headers: [
      ...(type === null ? [] : [['content-type', type] as const]),
      ...(native?.headers ?? []),
      ...dialect.headers,
      ...headers,
    ],
    ...(native?.http2 === undefined ? {} : { http2: native.http2 }),
    ...(whole.body === undefined || whole.method === 'GET' || whole.method === 'HEAD' ? {} : { body: whole.body }),
  };
}

function cameOf(text: string, status: number, { binding, errors }: Dialect): Answer['came'] {
  const event = /^data: ?(.*)$/m.exec(text)?.[1];
  let value: unknown;
  try {
    value = JSON.parse(event ?? text);
  } catch {
    return status === 200 && text === '' && binding.emptyIsResult ? 'result' : 'none';
  }
  const said = binding.said(value, errors, { status, isEvent: event !== undefined });
  if (said?.type !== 'error') return said?.type ?? 'none';
  const { code, name, byStatus } = said.error;
  if (typeof code === 'number' && binding.requests === 'envelopes') return code;
  return errors[name ?? byStatus?.find((text) => text === 'InvalidParams') ?? 'InternalError']?.rpc ?? 'none';
}
