import { type Dialect, dialectById } from '../dialect/index.js';
import { bodyText, type Clock, type Header, type StopSignal, virtualClock, type WireResponse } from '../wire/index.js';
import { type Agent, type AgentOptions, createAgent } from './agent.js';
import type { Patch } from './seams.js';

// The simplest client, for the tests of the agent: it builds nothing and checks nothing.

export interface Answer {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect to be there
  readonly json: any;
}
/** A stream that is read at the pace of the test. */
export interface StreamWatch {
  readonly status: number;
  readonly headers: readonly Header[];
  /** The next event; undefined at the end. */
  next(): Promise<Answer['json']>;
  /** All events up to the end. */
  rest(): Promise<readonly Answer['json'][]>;
  /** Closes the stream. */
  leave(): void;
}
export interface TestClient {
  readonly agent: Agent;
  readonly clock: Clock;
  wait(ms: number): Promise<void>;
  http(method: string, path: string, headers?: readonly Header[], body?: string | Uint8Array): Promise<Answer>;
  call(method: string, params?: unknown, headers?: readonly Header[]): Promise<Answer['json']>;
  listen(method: string, params?: unknown, headers?: readonly Header[]): Promise<StreamWatch>;
}

export interface TestClientOptions extends Partial<Omit<AgentOptions, 'patches'>> {
  readonly patches?: readonly (Patch | undefined)[];
  /** Sent with every call. Default: those of the dialect. */
  readonly headers?: readonly Header[];
  /** The query of every call. */
  readonly query?: string;
  /** Headers that depend on the body of a call: its signature. */
  readonly signed?: (body: Uint8Array) => readonly Header[];
}

const baseUrl = 'http://agent.test/a';
const bytesOf = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;
/** The dialect where a test names none. */
const usualDialect = dialectById('a2a-0.3') as Dialect;

export function createTestClient({
  patches = [],
  headers: always,
  query = '',
  signed = () => [],
  ...options
}: TestClientOptions = {}): TestClient {
  const clock = options.clock ?? virtualClock();
  const { dialect = usualDialect } = options;
  const endpoint = dialect.endpointPath || '/';
  const given = patches.filter((patch) => patch !== undefined);
  const agent = createAgent({ baseUrl, ...options, dialect, clock, patches: given });
  const usual = [['content-type', 'application/json'], ...(always ?? dialect.headers)] as const;
  let count = 0;

  async function send(
    method: string,
    path: string,
    headers: readonly Header[],
    body: string | Uint8Array | undefined,
    signal: StopSignal,
  ): Promise<WireResponse> {
    const bytes = body === undefined ? {} : { body: bytesOf(body) };
    return agent.handle({ method, url: `${baseUrl}${path}`, headers, ...bytes }, signal);
  }
  async function http(
    method: string,
    path: string,
    headers: readonly Header[] = [],
    body?: string | Uint8Array,
  ): Promise<Answer> {
    const response = await send(method, path, headers, body, new AbortController().signal);
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const text = bodyText(Buffer.concat(chunks));
    return {
      status: response.status,
      headers: response.headers,
      text,
      get json() {
        return JSON.parse(text);
      },
    };
  }
  const envelope = (method: string, params: unknown): string =>
    JSON.stringify({ jsonrpc: '2.0', id: `r${++count}`, method, params });

  return {
    agent,
    clock,
    wait: (ms) => new Promise((resolve) => void clock.after(ms, resolve)),
    http,
    async call(method, params, headers = []) {
      const body = envelope(method, params);
      const all = [...usual, ...signed(bytesOf(body)), ...headers];
      const answer = await http('POST', `${endpoint}${query}`, all, body);
      return answer.text.startsWith('{') ? answer.json : { status: answer.status };
    },
    async listen(method, params, headers = []) {
      const gone = new AbortController();
      const response = await send(
        'POST',
        `${endpoint}${query}`,
        [...usual, ...headers],
        envelope(method, params),
        gone.signal,
      );
      const chunks = response.body[Symbol.asyncIterator]();
      let text = '';
      async function next(): Promise<Answer['json']> {
        for (;;) {
          const end = text.indexOf('\n\n');
          if (end >= 0) {
            const event = text.slice(0, end).replace(/^data: /gm, '');
            text = text.slice(end + 2);
            return JSON.parse(event);
          }
          const { done, value } = await chunks.next();
          if (done) return undefined;
          text += bodyText(value);
        }
      }
      return {
        status: response.status,
        headers: response.headers,
        next,
        async rest() {
          const events: Answer['json'][] = [];
          for (let event = await next(); event !== undefined; event = await next()) events.push(event);
          return events;
        },
        leave: () => gone.abort(),
      };
    },
  };
}

/** A message of 0.3, and of what stems from it. */
export const message03 = (text: string, more: object = {}): object => ({
  kind: 'message',
  messageId: `m-${text}`,
  role: 'user',
  parts: [{ kind: 'text', text }],
  ...more,
});
/** A message of 1.0. */
export const message10 = (text: string, more: object = {}): object => ({
  messageId: `m-${text}`,
  role: 'ROLE_USER',
  parts: [{ text }],
  ...more,
});
