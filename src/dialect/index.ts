import { type Binding, httpJson } from '../binding/index.js';
import type { Operation } from '../model/index.js';
import { a2a02 } from './a2a-0.2.js';
import { a2a03 } from './a2a-0.3.js';
import { a2a10 } from './a2a-1.0.js';
import type { Dialect as AnyDialect, KeptFor as KeptForAny } from './dialect.js';
import { a2a03Grpc, a2a10Grpc } from './grpc.js';
import { openclaw } from './openclaw.js';
import { a2a03Rest, a2a10Rest } from './rest.js';
import { terminalBench } from './terminal-bench.js';
import { xpr, xprV2 } from './xpr.js';

export type { BindingId, HttpRoute } from '../binding/index.js';
export type { Codec } from './codec.js';
export {
  errorName,
  isFor,
  lineage,
  methodOf,
  type OperationCodec,
  type OperationTable,
  type Spelled,
  type TextClues,
  type TextFollowed,
} from './dialect.js';

export { grpcParamsFrom, grpcResultTo } from './grpc.js';
export { paramsFrom, paramsTo, resultTo } from './proto-0.3.js';
export { cardTo } from './proto-0.3-card.js';
export { paramsAsRead } from './rest.js';

const table = [
  a2a10,
  a2a10Rest,
  a2a10Grpc,
  a2a03,
  a2a03Rest,
  a2a03Grpc,
  a2a02,
  terminalBench,
  xpr,
  xprV2,
  openclaw,
] as const;

/** The name of a dialect over one binding: "a2a-1.0-rest". */
export type ProfileId = (typeof table)[number]['id'];
export type Dialect = AnyDialect<ProfileId, ProfileId>;
export type KeptFor = KeptForAny<ProfileId>;

/** Every dialect that the kit speaks; the first that fits a card wins in detection. */
export const dialects: readonly Dialect[] = table;

/** The profiles whose callers sign: a pack of each says how. */
export const signers: readonly ProfileId[] = dialects.flatMap(({ id, signed }) => (signed === undefined ? [] : [id]));

/**
 * Which line of A2A a version is of: "0.3", "1.0". A minor version of 1 that the kit has no dialect for is judged as 1.0.
 */
export function lineOf(version: string): string | undefined {
  const line = /^v?(1(?:\.\d{1,4}(?=\.|$))?|0\.\d{1,4})(?=\.|$)/.exec(version.slice(0, 20).trim())?.[1];
  return line?.startsWith('1') === true && dialectById(`a2a-${line}`) === undefined ? '1.0' : line;
}

/** The dialect of a version as a card names it, "0.3.0" or "1.0"; undefined: the kit does not know it. */
export function dialectOfVersion(version: string): Dialect | undefined {
  const line = lineOf(version);
  return line === undefined ? undefined : dialectById(`a2a-${line}`);
}

/** The profile of the same version over another binding; undefined: the kit judges no such agents. */
export function profileOver(dialect: Dialect, binding: Binding): Dialect | undefined {
  if (dialect.binding.id === binding.id) return dialect;
  return dialects.find((profile) => profile.binding.id === binding.id && profile.version === dialect.version);
}

/** The same version over another binding; undefined: the version has no such binding. */
export function dialectOver(dialect: Dialect, binding: Binding): Dialect | undefined {
  const known = profileOver(dialect, binding);
  if (known !== undefined) return known;
  if (binding.nameOf(dialect.operations.get) === undefined) return undefined;
  return { ...dialect, title: dialect.title.replace(dialect.binding.title, binding.title), binding };
}

/** The same with paths below the base itself: agents of 0.3 serve them with and without `/v1` (AMB03-40). */
export function withoutVersionInPaths(dialect: Dialect): Dialect | undefined {
  const isPrefixed = dialect.operations.get.http?.path.startsWith('/v1/') === true;
  if (!isPrefixed || dialect.binding.id !== httpJson.id) return undefined;
  const operations = Object.entries(dialect.operations).map(([name, codec]) => {
    const { http } = codec;
    return [name, http === undefined ? codec : { ...codec, http: { ...http, path: http.path.replace(/^\/v1/, '') } }];
  });
  const others = (spelled: readonly Dialect[]): readonly Dialect[] =>
    spelled.map((spelling) => withoutVersionInPaths(spelling) ?? spelling);
  const { otherSpellings } = dialect;
  return {
    ...dialect,
    operations: Object.fromEntries(operations),
    ...(otherSpellings && {
      otherSpellings: { message: others(otherSpellings.message), config: others(otherSpellings.config) },
    }),
  };
}

/** The same objects under the method names of another dialect. */
export const namedAs = (dialect: Dialect, other: Dialect): Dialect => ({
  ...dialect,
  operations: Object.fromEntries(
    Object.entries(dialect.operations).map(([name, codec]) => {
      const rpc = other.operations[name as Operation]?.rpc;
      return [name, rpc === undefined ? codec : { ...codec, rpc }];
    }),
  ) as unknown as Dialect['operations'],
});

/** The profiles of one version or dialect, one for each binding: for "a2a-1.0" those over JSON-RPC and HTTP+JSON. */
export const profilesLike = (id: string): readonly Dialect[] =>
  dialects.filter((dialect) => dialect.id === id || dialect.version === id);

/** The dialects for which the extension of payments is made. */
export const payingDialects: readonly Dialect[] = dialects.filter(({ pays }) => pays);

export const dialectById = (id: string): Dialect | undefined => dialects.find((dialect) => dialect.id === id);
