import type { Interface } from '../../model/index.js';
import {
  able,
  type MakeInterface,
  offering,
  onCard,
  type Patch,
  RpcFailure,
  servedAt,
  together,
} from '../../reference/index.js';
import { type Scenario, type Stage, scenario } from '../scenario.js';

// Choosing an interface: which entry of the card, at which URL, and what the agent says that it can.

const hello = { do: 'send', text: 'Hello' } as const;
const done = { state: 'completed', text: 'You said: Hello' } as const;
const newest = ['a2a-1.0'] as const;
const older = ['a2a-0.3', 'a2a-0.2'] as const;

/** A binding that no client speaks. */
const foreign = { transport: 'https://bindings.example/carrier-pigeon' } as const;
const extension = 'https://extensions.example/tck/v1';
const another = 'https://extensions.example/tck-more/v1';
/** The tenant of interfaces that have one. */
const tenant = 'team-7';

/** `right`: which entry is to be called; `wrong`: which one must not be. */
interface Choice {
  readonly right: number;
  readonly wrong?: number;
}

/** The card has these entries. The URLs of the right and the wrong one are noted for the checks. */
const offers =
  (
    { right, wrong }: Choice,
    entries: (makeInterface: MakeInterface, places: Stage['places']) => readonly Interface[],
    tenantOfAll?: string,
  ) =>
  ({ places, note }: Stage): Patch =>
    together(
      servedAt('/agent/one', '/agent/one/', '/agent/two', '/agent/nine', `/${tenant}`),
      offering((makeInterface) => {
        const made = entries(makeInterface, places);
        note('url', made[right]?.url ?? '');
        if (wrong !== undefined) note('wrong', made[wrong]?.url ?? '');
        if (tenantOfAll !== undefined) note('tenant', tenantOfAll);
        return made;
      }),
    );

const interfaceScenario = (
  id: Scenario['id'],
  about: string,
  patch: NonNullable<Scenario['patch']>,
  more: Partial<Scenario> = {},
): Scenario => scenario(id, { about, errand: hello, isOneAgent: true, patch, expected: done, ...more });

const requiring = (errand: Scenario['errand'], about: string): Omit<Scenario, 'id'> => ({
  about,
  errand,
  patch: () =>
    able({
      extensions: [
        { uri: extension, required: true },
        { uri: another, required: false },
      ],
    }),
  profiles: newest,
});

export const interfacesScenarios = [
  interfaceScenario(
    'interface-later',
    'the first interface has an unknown binding, and the one to call follows',
    offers({ right: 1 }, (makeInterface, { agent, aside }) => [
      makeInterface(agent, '/agent/nine', foreign),
      makeInterface(aside, '/agent/one'),
    ]),
  ),
  interfaceScenario(
    'interface-elsewhere',
    'the only interface is at another origin than the card',
    offers({ right: 0 }, (makeInterface, { elsewhere }) => [makeInterface(elsewhere, '/agent/one')]),
    { profiles: ['a2a-1.0', 'a2a-0.3'], mayFail: true },
  ),
  interfaceScenario(
    'interface-first',
    'the preferred interface is at another path than the card, and one of another transport and one of the same follow',
    (stage) =>
      together(
        offers({ right: 0, wrong: 2 }, (makeInterface, { agent, aside }) => [
          makeInterface(aside, '/agent/one'),
          makeInterface(agent, '/agent/nine', foreign),
          makeInterface(agent, '/agent/two'),
        ])(stage),
        // The order of the additional interfaces says nothing: the preferred one comes last there.
        onCard(({ additionalInterfaces: more, ...card }) => ({
          ...card,
          ...(Array.isArray(more) ? { additionalInterfaces: more.toReversed() } : {}),
        })),
      ),
    { profiles: older },
  ),
  interfaceScenario(
    'two-interfaces',
    'an unknown binding comes first, then two interfaces that the client can call',
    offers({ right: 1, wrong: 2 }, (makeInterface, { agent, aside }) => [
      makeInterface(agent, '/agent/nine', foreign),
      makeInterface(aside, '/agent/one'),
      makeInterface(agent, '/agent/two'),
    ]),
    { profiles: newest },
  ),
  interfaceScenario(
    'interface-of-another-version',
    'the first interface is of version 9.0 of the protocol',
    offers({ right: 1, wrong: 0 }, (makeInterface, { agent, aside }) => [
      makeInterface(agent, '/agent/nine', { version: '9.0' }),
      makeInterface(aside, '/agent/one'),
    ]),
    { profiles: newest },
  ),
  interfaceScenario(
    'interface-patch-version',
    'the only interface is of version 1.0.1 of the protocol',
    offers({ right: 0 }, (makeInterface, { agent }) => [makeInterface(agent, '/agent/one', { version: '1.0.1' })]),
    { profiles: newest },
  ),
  interfaceScenario(
    'url-with-slash',
    'the URL of the interface ends with a slash',
    offers({ right: 0 }, (makeInterface, { agent }) => [makeInterface(agent, '/agent/one/')]),
    { notOver: ['grpc'], profiles: newest },
  ),
  interfaceScenario(
    'url-with-query',
    'the URL of the interface has a query',
    offers({ right: 0 }, (makeInterface, { agent }) => [makeInterface(agent, '/agent/one?k=1')]),
    { binding: 'jsonrpc', profiles: newest },
  ),
  interfaceScenario(
    'tenant',
    'the interface has a tenant',
    offers({ right: 0 }, (makeInterface, { agent }) => [makeInterface(agent, '/', { tenant })], tenant),
    { profiles: newest },
  ),
  interfaceScenario(
    'tenant-stream',
    'the interface has a tenant, and a stream is asked for',
    (stage) =>
      together(
        able({ streaming: true }),
        offers({ right: 0 }, (entry, { agent }) => [entry(agent, '/', { tenant })], tenant)(stage),
      ),
    { profiles: newest, errand: { do: 'stream', text: 'Hello' } },
  ),
  interfaceScenario(
    'tenant-list',
    'tasks of an interface with a tenant are listed',
    offers({ right: 0 }, (makeInterface, { agent }) => [makeInterface(agent, '/', { tenant })], tenant),
    { profiles: newest, errand: { do: 'list', filter: { pageSize: 5 } }, expected: {} },
  ),
  interfaceScenario(
    'interface-down',
    'nothing listens at the first interface',
    offers({ right: 1 }, (makeInterface, { dead, aside }) => [
      makeInterface(dead, '/agent/one'),
      makeInterface(aside, '/agent/one'),
    ]),
    { mayFail: true },
  ),
  interfaceScenario(
    'card-without-transport',
    'the card does not say which transport it prefers',
    (stage) =>
      together(
        offers({ right: 0 }, (makeInterface, { agent }) => [makeInterface(agent, '/agent/one')])(stage),
        onCard(({ preferredTransport: _, ...card }) => card),
      ),
    { profiles: older, binding: 'jsonrpc' },
  ),
  scenario('version-refused', {
    about: 'the agent refuses the version of every call',
    errand: hello,
    patch: () => () => ({
      negotiate() {
        throw new RpcFailure('VersionNotSupported');
      },
    }),
    expected: { error: 'VersionNotSupported' },
    profiles: newest,
  }),
  scenario('streaming-undeclared', {
    about: 'the agent says that it cannot stream, and a stream is asked for',
    errand: { do: 'stream', text: 'Hello' },
    patch: () => able({ streaming: false }),
    profiles: newest,
  }),
  scenario('push-undeclared', {
    about: 'the agent says that it cannot notify, and notifications are asked for',
    errand: { do: 'notify', text: 'Hello' },
    patch: () => able({ push: false }),
    profiles: newest,
  }),
  scenario('extended-card-undeclared', {
    about: 'the agent says that it has no extended card, and one is asked for',
    errand: { do: 'extended-card', text: 'Hello' },
    patch: () => able({ extendedCard: false }),
    profiles: newest,
  }),
  scenario(
    'extension-required',
    requiring(
      { ...hello, extensions: [another, extension] },
      'the agent demands an extension, and the user wants it and another one that the agent has',
    ),
  ),
  scenario('extension-unknown', requiring(hello, 'the agent demands an extension that the client does not have')),
];
