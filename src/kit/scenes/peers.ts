import { type Client, describe, type Outcome, tellsError } from '../../client/index.js';
import { Inconclusive, type Judgement, NotApplicable, PreconditionUnmet } from '../rules/verdict.js';
import { type PeerPlace, type Scene, source } from './scene.js';

/** One interface of the agent, and a client of it. */
export interface Side {
  readonly client: Client;
  /** "HTTP+JSON"; with the URL where several interfaces have the binding. */
  readonly title: string;
}

/** The judged interface and another one of the same version and tenant. */
export interface Pair {
  readonly own: Side;
  readonly peer: Side;
}

interface FoundPeer {
  readonly place: PeerPlace;
  /** It has the paths of the other text of the version. */
  readonly isOtherwise: boolean;
  /** Why it cannot be compared; undefined: it answers in its binding. */
  readonly silent: string | undefined;
}

/** Whether an answer is one of the binding: it need not be a result. */
const isSpoken = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'result' ||
  outcome.kind === 'denied' ||
  (outcome.kind === 'refusal' && tellsError(outcome) && outcome.error !== 'MethodNotFound');

const clientAt = ({ client }: Scene, { endpoint, transport }: PeerPlace, isOtherwise: boolean): Client | undefined => {
  const at = client.at(endpoint, transport);
  return isOtherwise ? at?.otherwise : at;
};

async function asked(scene: Scene, place: PeerPlace): Promise<FoundPeer> {
  if (place.barred !== undefined)
    return {
      place,
      isOtherwise: false,
      silent: `${place.transport} at ${place.endpoint} is not called: ${place.barred}`,
    };
  let why = '';
  for (const isOtherwise of [false, true]) {
    const client = clientAt(scene, place, isOtherwise);
    if (client === undefined) continue;
    const outcome = await client.call('get', { id: scene.uuid() });
    if (isSpoken(outcome)) return { place, isOtherwise, silent: undefined };
    why ||= `${client.dialect.binding.title} at ${place.endpoint} does not answer: ${describe(outcome)}`;
  }
  return { place, isOtherwise: false, silent: why };
}

/** Each other interface, asked once for a task that does not exist. */
const foundPeers = source('the other interfaces of the agent', (scene) =>
  Promise.all(scene.peers.map((place) => asked(scene, place))),
);

/** The judged interface beside each other one that answers. */
export interface Interfaces {
  readonly own: Side;
  readonly peers: readonly Side[];
  /** Why an interface cannot be compared; undefined: each answers. */
  readonly silent: string | undefined;
}

/**
 * The interfaces of the same version and tenant. Throws `NotApplicable` where the card declares one only, and
 * `PreconditionUnmet` where no other one answers in its binding.
 */
export async function interfacesOf(scene: Scene): Promise<Interfaces> {
  const { client, peers: places } = scene;
  if (places.length === 0) {
    throw new NotApplicable('the card declares no other interface of this version and tenant that the kit speaks');
  }
  const found = await scene.use(foundPeers);
  const silent = found.find((foundPeer) => foundPeer.silent !== undefined)?.silent;
  const own = client.dialect.binding.title;
  const titles = [own, ...found.map(({ place }) => place.transport)];
  const peers = found.flatMap((foundPeer): readonly Side[] => {
    const there = foundPeer.silent === undefined ? clientAt(scene, foundPeer.place, foundPeer.isOtherwise) : undefined;
    if (there === undefined) return [];
    const { title } = there.dialect.binding;
    const isSingle = titles.filter((name) => name === foundPeer.place.transport).length === 1 && title !== own;
    return [{ client: there, title: isSingle ? title : `${title} at ${foundPeer.place.endpoint}` }];
  });
  if (peers.length === 0)
    throw new PreconditionUnmet(silent ?? 'make another interface of the agent answer: none does');
  return { own: { client, title: own }, peers, silent };
}

/** What stands behind the name of an interface where a reason says that it is the wrong one. */
const wrongs = ['does not ', 'is wrong', 'lacks ', 'must '];

/**
 * The reason, with the interface that deviates before it. A reason that says which one is wrong stays unchanged: the
 * others may agree in what is wrong.
 */
function blaming(reason: string, odd: Side, agreeing: readonly Side[]): string {
  const isBlamed = (side: Side): boolean => wrongs.some((wrong) => reason.includes(`${side.title} ${wrong}`));
  if ([odd, ...agreeing].some(isBlamed)) return reason;
  return `${odd.title} deviates from ${agreeing.map((side) => side.title).join(' and ')}: ${reason}`;
}

/**
 * Judges a relation between the judged interface and each other one. The first pair that breaks it fails; of three or
 * more interfaces the one that alone breaks it is named. A pair that shows nothing, or an interface that does not
 * answer, makes it inconclusive.
 */
export async function eachPair(
  { own, peers, silent }: Interfaces,
  relation: (pair: Pair) => Judgement | Promise<Judgement>,
): Promise<Judgement> {
  const judged: { readonly peer: Side; readonly judgement: Judgement }[] = [];
  for (const peer of peers) judged.push({ peer, judgement: await relation({ own, peer }) });
  const broken = judged.filter(({ judgement }) => typeof judgement === 'string');
  const [first] = broken;
  if (first === undefined) {
    const open = silent === undefined ? undefined : new Inconclusive(silent);
    return open ?? judged.find(({ judgement }) => judgement !== undefined)?.judgement;
  }
  const reason = String(first.judgement);
  const others = judged.filter(({ judgement }) => judgement === undefined).map(({ peer }) => peer);
  if (broken.length === 1 && others.length > 0 && others.length === peers.length - 1)
    return blaming(reason, first.peer, [own, ...others]);
  const [side, other] = peers;
  if (side === undefined || other === undefined || broken.length < peers.length) return reason;
  // Whether the others agree, their own relation shows.
  const agree = await relation({ own: side, peer: other });
  return agree === undefined ? blaming(reason, own, [side, other]) : reason;
}

/** The same for a relation that takes time: all pairs are looked at together. */
export async function allPairs(
  interfaces: Interfaces,
  relation: (pair: Pair) => Promise<Judgement>,
): Promise<Judgement> {
  const { own, peers } = interfaces;
  const seen = new Map(await Promise.all(peers.map(async (peer) => [peer, await relation({ own, peer })] as const)));
  return eachPair(interfaces, (pair) => (pair.own === own ? seen.get(pair.peer) : relation(pair)));
}
