import {
  type CallOptions,
  check,
  describe,
  difference,
  eachPair,
  early,
  endedTask,
  header,
  inconclusive,
  type Judgement,
  NotApplicable,
  type Outcome,
  openTask,
  outcomeOf,
  type Side,
  told,
} from '../../src/kit/index.js';
import { ownTask, required, secondCaller } from '../shared/callers.js';
import { asJudged, interfaces, onBoth, readAlike, sameFate, unseenOver } from './sides.js';

// A2A 1.0 §3.6.2, §3.3.4, §4.6, §5.1, §7, §8.3.2, §13.1; 0.3 §3.4.1: who calls, in which version, with which extensions.

/** The header that names the version, with another value. */
const versionHeaders = ({ client }: Side, version: string): CallOptions => ({
  headers: client.dialect.headers.map(([name]) => [name, version] as const),
  invalid: true,
});

const readUnder = (id: string, options: (side: Side) => CallOptions) => (side: Side) =>
  side.client.call('get', { id }, options(side));

// In our words (1.0, 3.6.2 Server Responsibilities): An unsupported version is refused on every binding.
export const unsupportedVersion = check('equivalence/unsupported-version', 'equivalence.unsupported-version')
  .given('interfaces', interfaces)
  .given('task', endedTask)
  .when('the client reads a task over each interface under version 99.0', async ({ interfaces, task }) =>
    eachPair(interfaces, async (pair) => {
      const [own, there] = await onBoth(
        pair,
        readUnder(task.id, (side) => versionHeaders(side, '99.0')),
      );
      return sameFate(pair, { about: 'a read under version 99.0', own, there }, 'refused');
    }),
  )
  .expects('refuse the call', asJudged)
  .advice('Look at A2A-Version in every binding: over gRPC it is metadata in lower case.');

// In our words (1.0, 3.6.2 Server Responsibilities): A missing version is treated alike.
export const missingVersion = check('equivalence/missing-version', 'equivalence.missing-version')
  .given('interfaces', interfaces)
  .given('task', endedTask)
  .when('the client reads a task over each interface without a version', async ({ interfaces, task }) =>
    eachPair(interfaces, async (pair) => {
      const [own, there] = await onBoth(
        pair,
        readUnder(task.id, ({ client }) => ({
          without: client.dialect.headers.map(([name]) => name),
          invalid: true,
        })),
      );
      return sameFate(pair, { about: 'a read without a version', own, there });
    }),
  )
  .expects('refuse the call on each or on none', asJudged)
  .advice('Treat a missing version in one place, behind all bindings: as 0.3, which a 1.0 agent may refuse.');

const withoutExtensions = ({ client }: Side): CallOptions => ({
  without: [client.dialect.extensionHeader],
  headers: [],
  invalid: true,
});

// In our words (1.0, 3.3.4 Capability Validation): A required extension is enforced on every binding.
export const requiredExtension = check('equivalence/required-extension', 'equivalence.required-extension')
  .given('interfaces', interfaces)
  .when('the client sends a message without the required extensions over each interface', async (scene) =>
    eachPair(scene.interfaces, async (pair) => {
      const [own, there] = await onBoth(pair, (side) =>
        side.client.call('send', { message: scene.say(), configuration: early(scene) }, withoutExtensions(side)),
      );
      return sameFate(pair, { about: 'a message without the required extension', own, there }, 'refused');
    }),
  )
  .expects('refuse the message', asJudged)
  .advice('Demand the extensions behind all bindings: over gRPC clients name them in metadata.');

/** The extensions that an answer names, in its head or its trailers. */
function namedIn(outcome: Outcome<unknown>, { client }: Side): readonly string[] {
  const response = outcome.kind === 'not-sent' ? undefined : outcome.exchange.response;
  const all = [...(response?.headers ?? []), ...(response?.trailers ?? [])];
  const value = header(all, client.dialect.extensionHeader) ?? '';
  return value
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '')
    .sort();
}

// In our words (1.0, 4.6 Extensions): An activated extension takes effect on each binding.
export const extensions = check('equivalence/extensions', 'equivalence.extensions')
  .given('interfaces', interfaces)
  .given('task', endedTask)
  .when('the client asks each interface for the extensions of the card', async ({ interfaces, task, card }) => {
    const uris = card.capabilities.extensions.map(({ uri }) => uri).join(', ');
    return eachPair(interfaces, async (pair): Promise<Judgement> => {
      const [own, there] = await onBoth(
        pair,
        readUnder(task.id, ({ client }) => ({ headers: [[client.dialect.extensionHeader, uris]] })),
      );
      if (own.kind !== 'result') return unseenOver(pair.own, own);
      if (there.kind !== 'result') return unseenOver(pair.peer, there);
      const deviation = difference(namedIn(own, pair.own), namedIn(there, pair.peer));
      return deviation && told({ ...deviation, path: 'active extensions' }, [pair.own.title, pair.peer.title]);
    });
  })
  .expects('name the same ones as active', asJudged)
  .advice(
    'Read the wanted extensions, and name the active ones, for every binding: header, or metadata and trailers in gRPC.',
  );

// In our words (1.0, 5.1 Functional Equivalence Requirements): Calls without credentials are refused on every binding.
export const unauthenticated = check('equivalence/unauthenticated', 'equivalence.unauthenticated')
  .given('interfaces', interfaces)
  .when('the client reads over each interface without credentials', async (scene) => {
    required(scene.card);
    const task = await scene.use(ownTask);
    return eachPair(scene.interfaces, async (pair): Promise<Judgement> => {
      const [own, there] = await onBoth(pair, ({ client }) =>
        client.call('get', { id: task.id }, { credentials: 'none' }),
      );
      const open = [
        [pair.own, own],
        [pair.peer, there],
      ].find(([, outcome]) => (outcome as Outcome<unknown>).kind === 'result') as
        | readonly [Side, Outcome<unknown>]
        | undefined;
      if (open !== undefined) return `over ${open[0].title} the task is read without credentials`;
      if (own.kind === 'invalid-response' || own.kind === 'not-sent') return unseenOver(pair.own, own);
      if (there.kind === 'invalid-response' || there.kind === 'not-sent') return unseenOver(pair.peer, there);
      return undefined;
    });
  })
  .expects('refuse the call', asJudged)
  .advice('Authenticate callers in front of all bindings: the other ports and paths of the agent are doors too.');

// In our words (1.0, 13.1 Data Access and Authorization Scoping): The task of another caller is hidden on every
//   binding.
export const foreignTask = check('equivalence/foreign-task', 'equivalence.foreign-task')
  .given('interfaces', interfaces)
  .given('second', secondCaller)
  .given('task', ownTask)
  .when('another caller reads a task over each interface', async ({ interfaces, task }) =>
    eachPair(interfaces, async (pair): Promise<Judgement> => {
      const [own, there] = await onBoth(pair, ({ client }) =>
        client.call('get', { id: task.id }, { credentials: 'second' }),
      );
      const isKept = (outcome: Outcome<unknown>): boolean => outcome.kind === 'refusal' || outcome.kind === 'denied';
      if (isKept(own) === isKept(there) && (own.kind === 'result') === (there.kind === 'result')) {
        return isKept(own) || own.kind === 'result' ? undefined : unseenOver(pair.own, own);
      }
      const [shows, hides, hidden] = own.kind === 'result' ? [pair.own, pair.peer, there] : [pair.peer, pair.own, own];
      if (!isKept(hidden)) return unseenOver(hides, hidden);
      return `the task of the first caller is shown to the second over ${shows.title}, and over ${hides.title} it gets ${describe(hidden)}`;
    }),
  )
  .expects('show the task to its caller only', asJudged)
  .advice('Ask who owns a task behind all bindings, and hand the caller on from each of them.');

// In our words (1.0, 3.1.11 Get Extended Agent Card): The extended card is the same on each binding.
export const extendedCard = check('equivalence/extended-card', 'equivalence.extended-card')
  .given('interfaces', interfaces)
  .when('the client fetches the extended card over each interface', async ({ interfaces }) =>
    eachPair(interfaces, (pair) =>
      readAlike(
        pair,
        ({ client }) => client.call('extendedCard', {}),
        ({ signatures: _, ...own }, { signatures: __, ...there }) => {
          const deviation = difference(own, there);
          return deviation && told(deviation, [pair.own.title, pair.peer.title]);
        },
      ),
    ),
  )
  .expects('give the same card', asJudged)
  .advice('Make the extended card of every binding from one object.');

/** Whether an answer shows that the task was found: to be in the wrong state is to be found. */
function isFound(outcome: Outcome<unknown>): boolean | undefined {
  if (outcome.kind === 'result') return true;
  if (outcome.kind !== 'refusal') return undefined;
  return outcome.error === 'TaskNotCancelable' || outcome.error === 'UnsupportedOperation';
}

// In our words (1.0, 8.3.2 Client Protocol Selection): A tenant is honoured on every binding.
export const tenant = check('equivalence/tenant', 'equivalence.tenant')
  .given('interfaces', interfaces)
  .when('the client reads, follows and cancels tasks of a tenant over each interface', async (scene) => {
    if (scene.peers.every((peer) => peer.tenant === undefined)) {
      throw new NotApplicable('the interfaces that are compared have no tenant');
    }
    const { streaming } = scene.card.capabilities;
    const asked = async ({ client }: Side): Promise<readonly (readonly [string, Outcome<unknown>])[]> => {
      const { id } = await scene.use(openTask);
      return [
        ['a read', await client.call('get', { id })],
        ...(streaming ? [['a subscription', await outcomeOf(await client.open('subscribe', { id }))] as const] : []),
        ['a cancel', await client.call('cancel', { id })],
      ];
    };
    return eachPair(scene.interfaces, async (pair): Promise<Judgement> => {
      const [own, there] = await onBoth(pair, asked);
      for (const [index, [about, outcome]] of own.entries()) {
        const other = there[index]?.[1];
        if (other === undefined) continue;
        const [first, second] = [isFound(outcome), isFound(other)];
        if (first === undefined) return unseenOver(pair.own, outcome);
        if (second === undefined) return unseenOver(pair.peer, other);
        if (first === second) continue;
        const [lost, side] = first ? [other, pair.peer] : [outcome, pair.own];
        return `${about} of a task of the tenant finds it on one side only: over ${side.title} it gets ${describe(lost)}`;
      }
      return own.every(([, outcome]) => isFound(outcome) === false)
        ? inconclusive('no interface finds the task')
        : undefined;
    });
  })
  .expects('find the tasks alike', asJudged)
  .advice('Read the tenant in every operation of every binding: a member, a path or a field.');
