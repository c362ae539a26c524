import {
  type BrokenPlace,
  brief,
  canParseUrl,
  check,
  Inconclusive,
  type Interface,
  inconclusive,
  isString,
  type JsonObject,
  type Judgement,
  law,
  member,
  NotApplicable,
  severally,
  source,
  worst,
} from '../../src/kit/index.js';
import { filled, noCard, noCardAt, objectsIn, onCard, placesOnCard, unless } from '../shared/declared.js';
import { answersAt, isSpoken } from './probes.js';

// A2A 0.3 §5.6 Transport Declaration and URL Relationships, §5.5.5 AgentInterface.

interface Answer {
  readonly at: Interface;
  readonly judgement: Judgement;
}

/** At most so many interfaces of a card are called; a judgement says when some were left out. */
const most = 6;

const mainAnswer = source('the main interface of the card', async (scene): Promise<Answer | undefined> => {
  const at = scene.card.interfaces[0];
  if (at === undefined) return undefined;
  const judgement = await answersAt(scene, at);
  const isSettled = typeof judgement !== 'string' || at.or === undefined;
  const other = isSettled ? judgement : await answersAt(scene, { ...at, url: at.or });
  return { at, judgement: typeof other === 'string' ? judgement : other };
});

const answers = source('the interfaces of the card', async (scene): Promise<readonly Answer[]> => {
  const main = await scene.use(mainAnswer);
  const answers = main === undefined ? [] : [main];
  for (const at of scene.card.interfaces.slice(1, most)) answers.push({ at, judgement: await answersAt(scene, at) });
  return answers;
});

const all = (judged: readonly Answer[]): Judgement => worst(judged.map(({ judgement }) => judgement));

// In our words (1.0, 8.3.1 Supported Interfaces Declaration): The first interface, which is the preferred one, answers
//   at its URL in its binding.
export const endpointAnswers = check('card/endpoint-answers', 'card.endpoint-answers')
  .given('main', mainAnswer)
  .when('the client calls the main interface of the card', async ({ main }) => main)
  .expects('answer in the preferred transport', (main) =>
    main === undefined ? inconclusive('the card names no URL that the kit can call') : main.judgement,
  )
  .advice('Clients call the url of the card as it stands there: check host, port and path as seen from outside.');

// In our words (1.0, 8.3.1 Supported Interfaces Declaration): Each further interface states the binding and URL that
//   really answer.
export const interfacesAnswer = check('card/interfaces-answer', 'card.interfaces-answer')
  .given('answers', answers)
  .when('the client calls each interface of the card', async ({ answers }) => answers)
  .expects('answer in the transport that is declared', (answers, scene) => {
    const spoken = answers.filter(({ at }) => isSpoken(scene, at));
    if (spoken.length === 0) return inconclusive('the card declares no transport that the kit speaks');
    const rest = scene.card.interfaces.length - answers.length;
    return (
      all(spoken) ?? (rest > 0 ? inconclusive(`the kit did not call ${rest} more interfaces of the card`) : undefined)
    );
  })
  .advice(
    'Call each URL of the card from outside: it has to answer in the binding that its entry names. Correct the entry, or take it out.',
  );

// AMB03-24: one URL may serve several transports. It is a conflict only if one of them does not answer.
// In our words (0.3, 5.6.4 Validation Requirements): One URL is not claimed for transports that conflict.
export const noConflict = check('card/no-transport-conflict', 'card.no-transport-conflict')
  .given('answers', answers)
  .when('the client calls each transport of a URL with several transports', async ({ answers, card }) => {
    const asked = card.interfaces.slice(0, most);
    const shared = ({ url, transport }: Interface) =>
      asked.some((other) => other.url === url && other.transport !== transport);
    if (!asked.some(shared)) throw new NotApplicable('the card declares no URL for two transports');
    return answers.filter(({ at }) => shared(at));
  })
  .expects('answer in all of them', all)
  .advice('Serve each transport that the card names for a URL at that URL, or give each transport a URL of its own.');

// AMB03-01: without any declaration, an agent fails only when nothing answers either.
// In our words (0.3, 5.6.4 Validation Requirements): At least one supported transport is declared.
export const transportDeclared = check('card/transport-declared', 'card.transport-declared')
  .when('the client looks for a transport in the card', async ({ card }) => card.interfaces.length)
  .expects('declare one', async (count, scene) => {
    if (scene.target.cardDocument === undefined) return inconclusive(noCardAt(scene.target));
    if (count > 0) return undefined;
    const there = await answersAt(scene, {
      url: scene.target.endpoint,
      transport: scene.client.dialect.binding.transport,
    });
    if (there === undefined)
      return inconclusive(`the card names no interface, though ${scene.target.endpoint} answers`);
    return there instanceof Inconclusive ? there : `the card names no interface, and nothing answers: ${there}`;
  })
  .advice(
    'Set url in the card, and preferredTransport where it is not JSONRPC. Further interfaces go into additionalInterfaces.',
  );

const additional = (card: { readonly [member: string]: unknown }) => objectsIn(card['additionalInterfaces']);
const hrefOf = (url: unknown): unknown => (isString(url) && canParseUrl(url) ? new URL(url).href : url);

// In our words (0.3, 5.6.2 Additional Interfaces): When present, `additionalInterfaces` repeats the main
//   url/preferredTransport pair.
export const repeatsMain = law(
  'card/interfaces-repeat-main',
  'card.interfaces-repeat-main',
  'repeat the main interface among the additional ones',
  {
    otherwise: noCard,
    unless: unless('the card has no additionalInterfaces', (card) => filled(card['additionalInterfaces'])),
    advice:
      'Repeat the main pair as an entry, {"url": …, "transport": …}: clients that read only this list then find it.',
    places: placesOnCard(() => [
      { path: '/additionalInterfaces', problem: 'does not list the url of the card itself' },
    ]),
  },
  onCard((card) => {
    const { url, preferredTransport = 'JSONRPC' } = card;
    if (!isString(url)) return 'not-concerned';
    const repeated = additional(card).some(
      (entry) => hrefOf(entry['url']) === hrefOf(url) && entry['transport'] === preferredTransport,
    );
    return repeated
      ? 'holds'
      : `no additional interface has url ${brief(url)} and transport ${brief(preferredTransport)}`;
  }),
);

/** The places in the card that name a transport, and what they name. */
const transportsOf = (card: JsonObject): readonly (readonly [path: string, name: string])[] => {
  const { preferredTransport, additionalInterfaces } = card;
  const listed = Array.isArray(additionalInterfaces) ? additionalInterfaces : [];
  const all: readonly (readonly [string, unknown])[] = [
    ['/preferredTransport', preferredTransport],
    ...listed.map((entry, at) => [`/additionalInterfaces/${at}/transport`, member(entry, 'transport')] as const),
  ];
  return all.flatMap(([path, name]) => (isString(name) ? [[path, name] as const] : []));
};

/** The core transport that a name means; undefined: it is one, or means none. */
const meantBy = (name: string): string | undefined =>
  core.includes(name) ? undefined : core.find((known) => letters(name).startsWith(letters(known)));

const misspelled = (card: JsonObject): readonly BrokenPlace[] =>
  transportsOf(card).flatMap(([path, name]) => {
    const meant = meantBy(name);
    return meant === undefined ? [] : [{ path, problem: `is not a transport, ${meant} is`, seen: brief(name) }];
  });

const core = ['JSONRPC', 'GRPC', 'HTTP+JSON'];
const letters = (word: string): string => word.toUpperCase().replace(/[^A-Z]/g, '');

// In our words (0.3, 5.5.5 AgentInterface Object): Interface transport names come from JSONRPC, GRPC, HTTP+JSON unless
//   a transport extension is meant.
export const transportNames = law(
  'card/transport-names',
  'card.transport-names',
  'spell the core transports as JSONRPC, GRPC and HTTP+JSON',
  {
    otherwise: 'the card names no transport',
    advice: 'Write JSONRPC, GRPC or HTTP+JSON in capitals, letter by letter: clients compare them as texts.',
    places: placesOnCard(misspelled),
  },
  onCard((card) => {
    const names = transportsOf(card).map(([, name]) => name);
    const odd = names.filter((name) => !core.includes(name));
    const wrong = misspelled(card).map(({ problem, seen }) => `${seen} ${problem}`);
    if (wrong.length > 0) return severally(wrong);
    if (odd[0] !== undefined) return inconclusive(`${brief(odd[0])} is not a core transport and may name an extension`);
    return names.length > 0 ? 'holds' : 'not-concerned';
  }),
);
