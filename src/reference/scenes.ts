import { generateKeyPairSync } from 'node:crypto';
import { type Interface, isObject, type JsonObject, type Task } from '../model/index.js';
import { publicJwk, type SigningKey, signCard } from '../signing/index.js';
import { testKey } from './keys.js';
import type { Patch } from './seams.js';
import { declaring } from './variants/declaring.js';

// What agents need that put clients into a situation.

/** The public part of the key that signs the cards of the reference agent. */
export const testJwk = publicJwk(testKey);

/** The agent knows these tasks from its beginning; it does not work on them. */
export const knowing =
  (...tasks: readonly Task[]): Patch =>
  (_, { store }) => {
    for (const task of tasks) store.put(task);
    return {};
  };

/** Serves the binding of the profile below these paths as well; gRPC has no paths. */
export const servedAt =
  (...paths: readonly string[]): Patch =>
  (inner) => ({
    rpcPaths: () => (inner.rpcPaths().length === 0 ? [] : [...inner.rpcPaths(), ...paths]),
    httpBases: () =>
      inner.httpBases().length === 0 ? [] : [...paths.map((path) => path.replace(/\/$/, '')), ...inner.httpBases()],
  });

/** An interface of the binding and the version of the profile, with other members where `more` has them. */
export type MakeInterface = (origin: string, path: string, more?: Partial<Interface>) => Interface;

/** Declares other interfaces than the usual one; `one` makes them. gRPC has no paths. */
export const offering =
  (interfaces: (makeInterface: MakeInterface) => readonly Interface[]): Patch =>
  (inner, world, whole) => {
    const path = (asked: string): string => (world.dialect.binding.hasOwnPort === true ? '/' : asked);
    return declaring(({ interfaces: [own] }) => ({
      interfaces:
        own === undefined
          ? []
          : interfaces((origin, asked, more = {}) => ({ ...own, url: `${origin}${path(asked)}`, ...more })),
    }))(inner, world, whole);
  };

/** Signs the card with the test key, whose place is said to be `jku`. */
export const signedWith =
  (jku: string): Patch =>
  (inner) => ({
    cardDocument() {
      const document = inner.cardDocument();
      return isObject(document) ? { ...document, signatures: [signCard(document, testKey, { jku })] } : document;
    },
  });

/** A key that is published nowhere. */
const keyOfAnother = (kid: string): SigningKey => ({
  kid,
  alg: 'EdDSA',
  jwk: generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
});

/** Before its own signatures the card has one of a key that is published nowhere. */
export const signedFirstByAnother: Patch = resigned((signatures, document) => [
  signCard(document, keyOfAnother('key-of-another')),
  ...signatures,
]);

/** After its own signatures the card has one that is right by the key in its header, which has the id of the test key. */
export const signedByKeyInHeader: Patch = resigned((signatures, document) => {
  const key = keyOfAnother(testKey.kid);
  return [...signatures, signCard(document, key, { jwk: publicJwk(key) })];
});

/** In place of its signatures the card has one that says that nothing was signed (RFC 7518 §3.6). */
export const signedWithNothing: Patch = resigned(() => {
  const header = JSON.stringify({ alg: 'none', typ: 'JOSE', kid: testKey.kid });
  return [{ protected: Buffer.from(header).toString('base64url'), signature: 'AA' }];
});

/** Other signatures in place of those that the card has. */
function resigned(others: (signatures: readonly unknown[], document: JsonObject) => readonly unknown[]): Patch {
  return (inner) => ({
    cardDocument() {
      const document = inner.cardDocument();
      if (!isObject(document)) return document;
      const own = document['signatures'];
      return { ...document, signatures: others(Array.isArray(own) ? own : [], document) };
    },
  });
}

/** The members of every object of the card in the opposite order, over many lines. */
export const rewritten: Patch = (inner) => ({
  async serveCard(request) {
    const reply = await inner.serveCard(request);
    if (typeof reply.body !== 'string' || reply.body === '') return reply;
    return { ...reply, body: JSON.stringify(reversed(JSON.parse(reply.body)), null, 3) };
  },
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

/** The extended card names other interfaces than the public one. */
export const extendedWith =
  (interfaces: (makeInterface: MakeInterface) => readonly Interface[]): Patch =>
  (inner, world, whole) => {
    const moved = offering(interfaces)(inner, world, whole);
    return {
      extendedCard(caller) {
        const card = inner.extendedCard(caller);
        const to = moved.card?.();
        return card === undefined || to === undefined ? card : { ...card, interfaces: to.interfaces };
      },
    };
  };

/** The extended card has the signatures of the public one, which do not hold for it. */
export const extendedWithForeignSignature: Patch = (inner, _, whole) => ({
  extendedCard(caller) {
    const card = inner.extendedCard(caller);
    const open = whole.cardDocument();
    const signatures = isObject(open) && Array.isArray(open['signatures']) ? (open['signatures'] as unknown[]) : [];
    return card === undefined ? card : { ...card, signatures };
  },
});
