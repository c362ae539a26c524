import { type Dialect, dialectById, methodOf } from '../../../src/dialect/index.js';
import type { JsonObject } from '../../../src/model/index.js';
import { createTestClient, plainWord, type TestClientOptions, type Upstream } from '../../../src/reference/patching.js';
import { type Header, virtualClock } from '../../../src/wire/index.js';
import {
  type Authorization,
  caip2Of,
  localToken,
  metadataKeys,
  type Paying,
  payment,
  readOffer,
  throwawayWallet,
} from '../payments/index.js';
import { createFacilitator } from './facilitator/facilitator.js';
import { merchant } from './merchant.js';
import { type MerchantSettings, usualMerchant } from './settings.js';

// A client who pays, for the tests of the agent.

/** An answer, in the same form whatever the version. */
export interface Seen {
  readonly code: number | undefined;
  readonly id: string;
  readonly contextId: string;
  readonly state: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect to be there
  readonly metadata: any;
  /** Everything that the agent said. */
  readonly text: string;
  readonly artifacts: readonly unknown[];
}

export interface PaymentClientOptions extends TestClientOptions {
  readonly settings?: Partial<MerchantSettings>;
  /** Left out: one of its own. */
  readonly facilitator?: Upstream;
  /** Funds of the wallet. */
  readonly funds?: string;
}

const walletOf = (fill: number) => throwawayWallet(() => new Uint8Array(32).fill(fill));
export const local = { network: caip2Of(localToken.chainId), asset: localToken.asset };

export async function createPaymentClient({
  settings = {},
  funds = '1000000',
  patches = [],
  facilitator: other,
  ...options
}: PaymentClientOptions = {}) {
  const clock = options.clock ?? virtualClock();
  const dialect = options.dialect ?? (dialectById('a2a-0.3') as Dialect);
  const facilitator = createFacilitator({ clock });
  const { control } = facilitator;
  const wallet = walletOf(7);
  await control.fund(wallet.address, local, funds);
  const { uris } = { ...usualMerchant, ...settings };
  const active: readonly Header[] = [[dialect.extensionHeader, uris.join(', ')]];
  const visitor = createTestClient({
    headers: [...dialect.headers, ...active],
    ...options,
    clock,
    dialect,
    patches: [merchant(settings, other ?? { url: 'http://facilitator.test', carrier: facilitator.handle }), ...patches],
  });
  const isOld = dialect.id !== 'a2a-1.0';
  const method = (op: 'send' | 'stream' | 'get' | 'cancel'): string => methodOf(dialect, op) ?? '';
  let count = 0;

  const message = (text: string, more: JsonObject = {}): JsonObject => ({
    ...(isOld ? { kind: 'message', role: 'user' } : { role: 'ROLE_USER' }),
    messageId: `m${++count}`,
    parts: [isOld ? { kind: 'text', text } : { text }],
    ...more,
  });
  const read = (response: Awaited<ReturnType<typeof visitor.call>>): Seen => {
    const result = response.result ?? {};
    const task = result.task ?? result;
    const said = [...(task.history ?? []), ...(task.status?.message === undefined ? [] : [task.status.message])];
    const own = said.filter(({ role }: { role: string }) => plainWord(role) === 'agent');
    return {
      code: response.error?.code,
      id: task.id ?? '',
      contextId: task.contextId ?? '',
      state: plainWord(task.status?.state),
      metadata: task.status?.message?.metadata,
      text: JSON.stringify([...own, task.artifacts ?? []]),
      artifacts: task.artifacts ?? [],
    };
  };
  const send = async (text: string, more: JsonObject = {}, headers: readonly Header[] = []): Promise<Seen> =>
    read(await visitor.call(method('send'), { message: message(text, more) }, headers));
  const get = async (id: string): Promise<Seen> => read(await visitor.call(method('get'), { id }));
  const cancel = async (id: string): Promise<Seen> => read(await visitor.call(method('cancel'), { id }));

  /** A correct payment for the offer in an answer. */
  const paying = ({ metadata }: Seen, overrides?: Partial<Authorization>, option = 0): Paying => {
    const offer = readOffer(metadata[metadataKeys.required]);
    const chosen = offer?.options[option];
    if (offer === undefined || chosen === undefined) throw new Error('the offer is missing');
    return {
      offer,
      option: chosen,
      wallet,
      now: Math.floor(clock.now() / 1000),
      nonce: `0x${(++count).toString(16).padStart(64, 'a')}`,
      ...(overrides === undefined ? {} : { overrides }),
    };
  };
  const submission = (payload: unknown): JsonObject => ({
    [metadataKeys.status]: 'payment-submitted',
    [metadataKeys.payload]: payload,
  });
  const submit = (taskId: string, payload: unknown, more: JsonObject = {}): Promise<Seen> =>
    send('Here is the payment.', { taskId, metadata: submission(payload), ...more });
  return {
    ...visitor,
    control,
    facilitator,
    wallet,
    message,
    method,
    send,
    get,
    cancel,
    read,
    paying,
    submission,
    submit,
    /** Asks for the work, and pays for it. */
    async pay(text = 'paid-echo heron', overrides?: Partial<Authorization>) {
      const asked = await send(text);
      const made = payment(paying(asked, overrides));
      return { asked, made, seen: await submit(asked.id, made) };
    },
  };
}

export type PaymentTranscript = Awaited<ReturnType<typeof createPaymentClient>>;

export const statusOf = ({ metadata }: Seen): string | undefined => metadata?.[metadataKeys.status];
export const errorOf = ({ metadata }: Seen): string | undefined => metadata?.[metadataKeys.error];
export const receiptsOf = ({ metadata }: Seen): readonly JsonObject[] => metadata?.[metadataKeys.receipts] ?? [];
