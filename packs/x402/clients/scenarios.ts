import { payingDialects } from '../../../src/dialect/index.js';
import type { ScenarioId } from '../../../src/ledger/index.js';
import { onCall, type Patch, together, type World } from '../../../src/reference/patching.js';
import type { Clock } from '../../../src/wire/index.js';
import { createFacilitator, merchant, onX402 } from '../agent/index.js';
import {
  caip2Of,
  extensionUris,
  type FacilitatorControl,
  metadataKeys,
  readWallet,
  type Token,
  tokens,
} from '../payments/index.js';

// An agent that charges. The money is that of a chain that only the stub of the facilitator has.

const onChain = (chainId: bigint): Token[] => tokens.filter((token) => token.chainId === chainId);
const chainId = 84532n;
const network = caip2Of(chainId);
/** The one that the user allows comes second. */
const offered = [...onChain(43113n), ...onChain(chainId)];
/** Atomic units that the user is ready to pay. */
const most = '50000';

/** What a scenario may use when it is set up. */
export interface Stage {
  readonly clock: Clock;
  /** A private key without funds: 64 hex digits. */
  readonly key: string;
  note(name: string, value: string): void;
}

/** What a scenario says, beside its id, what it is about, and its settings. */
interface More {
  readonly errand?: (stage: Stage) => ReturnType<typeof paying>;
  readonly expected?: { readonly state: 'completed'; readonly text: string };
  readonly mayFail?: true;
  readonly more?: (facilitator: FacilitatorControl) => Patch;
}

/** An errand that pays. */
const paying = (key: string, uris: readonly string[], ...texts: readonly string[]) =>
  ({
    do: 'pay',
    text: 'paid-echo Hello',
    ...(texts.length === 0 ? {} : { texts }),
    wallet: { key, most, network },
    extensions: uris,
  }) as const;

/** Keeps each offer, by its task, and the transactions; and gives the client money. */
const noting =
  (stage: Stage, facilitator: FacilitatorControl): Patch =>
  (inner, world, whole) => {
    for (const { asset } of onChain(chainId))
      void facilitator.fund(readWallet(stage.key).address, { network, asset }, '1000000');
    return onX402((before) => ({
      metadata(account, state) {
        const metadata = before.metadata(account, state);
        if (metadata?.[metadataKeys.required] !== undefined)
          stage.note(`offer ${account.taskId}`, JSON.stringify(metadata[metadataKeys.required]));
        return metadata;
      },
      onSettled(attempt, transaction) {
        stage.note('transaction', transaction);
        before.onSettled(attempt, transaction);
      },
    }))(inner, world, whole);
  };

const payScenario = <const Id extends ScenarioId>(
  id: Id,
  about: string,
  settings: Parameters<typeof merchant>[0],
  { more, errand, ...rest }: More = {},
) => {
  const uris = settings?.uris ?? [extensionUris.v02];
  return {
    id,
    about,
    profiles: payingDialects.map((dialect) => dialect.id),
    errand: errand ?? (({ key }: Stage) => paying(key, uris)),
    patch: (stage: Stage): Patch => {
      stage.note('uris', uris.join(' '));
      const { handle, control } = createFacilitator({ clock: stage.clock });
      return together(
        merchant({ tokens: offered, ...settings, uris }, { url: 'http://facilitator.internal', carrier: handle }),
        noting(stage, control),
        ...(more === undefined ? [] : [more(control)]),
      );
    },
    ...rest,
  };
};

const delivered = { state: 'completed', text: 'Paid answer: Hello' } as const;

/** Offers that the client cannot take: of a scheme and a network that do not exist. */
const strange: Patch = onX402((inner) => ({
  offer(skill, step) {
    const offer = inner.offer(skill, step);
    const [option] = offer['accepts'] as readonly object[];
    return { ...offer, accepts: [{ ...option, scheme: 'iou', network: 'eip155:999999999' }] };
  },
}));

/** The payment has arrived, and the paid work takes a second more. */
const slowly: Patch = (inner, world: World, whole) => ({
  ...onX402((before) => ({ deliver: (...args) => void world.clock.after(1000, () => before.deliver(...args)) }))(
    inner,
    world,
    whole,
  ),
  // The extension shows such answers: verified and completed payments of tasks that work (x402 A2A transport).
  patience: (configuration) => Math.min(inner.patience(configuration), 200),
});

export const paymentsScenarios = [
  payScenario(
    'pay',
    'the agent offers two ways to pay, of which the user allows the second',
    {},
    { expected: delivered },
  ),
  payScenario(
    'pay-v1',
    'the agent asks for a payment of x402 version 1',
    { x402Version: 1, uris: [extensionUris.v01] },
    { expected: delivered, mayFail: true },
  ),
  payScenario(
    'pay-two',
    'two tasks have different prices',
    {},
    {
      errand: ({ key }) => paying(key, [extensionUris.v02], 'paid-echo Hello', 'paid-report Hello'),
    },
  ),
  payScenario('pay-too-much', 'the price is higher than the user allows', {
    skills: [{ id: 'paid-echo', amount: '60000' }],
  }),
  payScenario('pay-strange', 'the offer has a scheme and a network that do not exist', {}, { more: () => strange }),
  payScenario(
    'pay-refused',
    'the payment cannot be settled, and the task waits',
    { onFailure: 'input-required' },
    {
      more: (facilitator) => {
        void facilitator.setBehaviour({ behaviour: 'settle-fails', sticky: true });
        return () => ({});
      },
    },
  ),
  payScenario('pay-slow', 'the paid work takes a moment', {}, { more: () => slowly, expected: delivered }),
  payScenario(
    'pay-lost',
    'the answer to the payment is lost',
    {},
    {
      // The offer comes with the first call, or with a later one that asks for the task: the payment is what is cut.
      more: () =>
        onCall(async (request, serve) => {
          const reply = await serve(request);
          return Buffer.from(request.body ?? []).includes(metadataKeys.payload)
            ? { ...reply, fate: 'reset' }
            : undefined;
        }),
    },
  ),
];
