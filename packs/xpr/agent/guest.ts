import { type Dialect, dialectById } from '../../../src/dialect/index.js';
import {
  type Answer,
  createTestClient,
  type TestClient,
  type TestClientOptions,
} from '../../../src/reference/patching.js';
import { type Header, virtualClock } from '../../../src/wire/index.js';
import { type PrivateKey, type Scheme, signedHeaders } from '../signing/index.js';
import { createChain } from './chain/chain.js';
import { residentKey, residents } from './chain/residents.js';
import { type XprPartOptions, xprAgent } from './part.js';
import { linesOf } from './settings.js';

// A caller who signs, for the tests of the agent: its requests are correct unless a test changes them.

const usualDialect = dialectById('xpr') as Dialect;
const json: Header = ['content-type', 'application/json'];

/** What is signed, where it differs from the usual. */
export interface Pen {
  readonly account?: string;
  readonly key?: PrivateKey;
  readonly scheme?: Scheme;
  /** Default: now. */
  readonly timestamp?: string;
  /** Default: a question about a task that is not there, with an id that is new each time. */
  readonly body?: string | Uint8Array;
}

/** A request before it is sent, so that it can be sent again, or changed. */
export interface Letter {
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
}

type MeetOptions = TestClientOptions & XprPartOptions;

export async function meet({ patches = [], chain: asked, settings, ...options }: MeetOptions = {}) {
  const clock = options.clock ?? virtualClock();
  const chain = createChain({ clock });
  const control = await residents(chain.control);
  const node = asked ?? { url: 'http://chain.test', carrier: chain.handle };
  const { dialect = usualDialect } = options;
  const scheme: Scheme =
    linesOf(dialect) === 5 ? { lines: 5, audience: 'tckagent', chainId: await control.chainId() } : { lines: 3 };
  const sign = ({ account = 'alice', timestamp, body, ...pen }: Required<Pick<Pen, 'body'>> & Pen): Letter => {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const headers = signedHeaders({
      account,
      key: residentKey(account),
      scheme,
      timestamp: timestamp ?? String(seconds()),
      ...pen,
      body: bytes,
    });
    return { headers: [json, ...headers], body: bytes };
  };
  const seconds = (): number => Math.floor(clock.now() / 1000);
  const visitor: TestClient = createTestClient({
    part: xprAgent(dialect, { chain: node, ...(settings === undefined ? {} : { settings }) }),
    signed: (body) => sign({ body }).headers.slice(1),
    ...options,
    dialect,
    clock,
    patches,
  });
  let count = 0;
  const question = (): string =>
    JSON.stringify({ jsonrpc: '2.0', id: `q${++count}`, method: 'tasks/get', params: { id: 'unknown' } });
  const write = (pen: Pen = {}): Letter => sign({ body: question(), ...pen });
  const post = ({ headers, body }: Letter): Promise<Answer> => visitor.http('POST', '/a2a', headers, body);
  return {
    ...visitor,
    control,
    seconds,
    write,
    post,
    /** The code of the answer: -32001 shows that the caller was known. */
    ask: async (pen: Pen | Letter = {}): Promise<number> =>
      (await post('headers' in pen ? pen : write(pen))).json.error?.code,
    /** The same, with each call signed by an account. */
    as: (account: string) => (method: string, params: unknown) =>
      post(write({ account, body: JSON.stringify({ jsonrpc: '2.0', id: `c${++count}`, method, params }) })).then(
        (answer) => answer.json,
      ),
  };
}

/** A header with another value, or with none. */
export const changed = ({ headers, body }: Letter, name: string, ...values: readonly string[]): Letter => ({
  headers: [
    ...headers.filter(([found]) => found.toLowerCase() !== name.toLowerCase()),
    ...values.map((value) => [name, value] as const),
  ],
  body,
});

export const known = -32001;
export const refused = -32000;

export type Meeting = Awaited<ReturnType<typeof meet>>;
