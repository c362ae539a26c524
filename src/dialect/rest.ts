import { type Binding, httpJson } from '../binding/index.js';
import { isObject, type Operation } from '../model/index.js';
import { a2a03 } from './a2a-0.3.js';
import { a2a10 } from './a2a-1.0.js';
import type { Codec } from './codec.js';
import type { Dialect, OperationTable } from './dialect.js';
import { paramsFrom, paramsTo, resultFrom } from './proto-0.3.js';

// The versions over HTTP+JSON.

/** A2A 1.0 §11: the same objects as over JSON-RPC, without an envelope. */
export const a2a10Rest: Dialect<'a2a-1.0-rest', never> = {
  ...a2a10,
  id: 'a2a-1.0-rest',
  derivedFrom: [a2a10],
  title: 'A2A 1.0 over HTTP+JSON',
  ledger: 'a2a-1.0-rest',
  binding: httpJson,
};

/** Reads both spellings of 0.3. */
const reading: Binding = {
  ...httpJson,
  said(reply, errors, place) {
    const said = httpJson.said(reply, errors, place);
    return said?.type === 'result' ? { ...said, wire: resultFrom(said.wire) } : said;
  },
};
/** Reads both spellings of 0.3, and sends ProtoJSON. */
const inProto: Binding = {
  ...reading,
  request: (call) => httpJson.request({ ...call, params: paramsTo(call.params, call.operation) }),
};

/** §7.8 defines no content of the answer. */
const anyAnswer: Codec<null> = { encode: () => null, decode: () => null };

/** ProtoJSON leaves an empty list out, and then nothing is left. */
const orEmpty = <T>(codec: Codec<readonly T[]>): Codec<readonly T[]> => ({
  encode: codec.encode,
  decode: (wire) => codec.decode(isObject(wire) && Object.keys(wire).length === 0 ? [] : wire),
});

/** The operations of 0.3 with the answers that they have outside JSON-RPC. */
export const operationsInProto: OperationTable = {
  ...a2a03.operations,
  ...(a2a03.operations.pushDelete && { pushDelete: { ...a2a03.operations.pushDelete, result: anyAnswer } }),
  ...(a2a03.operations.pushList && {
    pushList: { ...a2a03.operations.pushList, result: orEmpty(a2a03.operations.pushList.result) },
  }),
};

const a2a03RestInSchema: Dialect<'a2a-0.3-rest', never> = {
  ...a2a03,
  operations: operationsInProto,
  id: 'a2a-0.3-rest',
  derivedFrom: [a2a03],
  title: 'A2A 0.3.0 over HTTP+JSON',
  ledger: 'a2a-0.3-rest',
  binding: reading,
};

/** The same, and sends a push config by itself: the path names the task. */
const a2a03RestBare: Dialect<'a2a-0.3-rest', never> = {
  ...a2a03RestInSchema,
  binding: {
    ...reading,
    request({ params, ...call }) {
      const { pushNotificationConfig: config, ...rest } = isObject(params) ? params : {};
      return httpJson.request({ ...call, params: isObject(config) ? { ...rest, ...config } : params });
    },
  },
};

/**
 * A2A 0.3.0 §3.2.3: requests in ProtoJSON, which most agents read, or in the spelling of the schema (AMB03-15). A push
 * config may also stand by itself (AMB03-16).
 */
export const a2a03Rest: Dialect<'a2a-0.3-rest', 'a2a-0.3-rest'> = {
  ...a2a03RestInSchema,
  binding: inProto,
  otherSpellings: { message: [a2a03RestInSchema], config: [a2a03RestInSchema, a2a03RestBare] },
};

/**
 * Params that a client sent, as the operations of the dialect read them: 0.3 has a spelling of the schema and one of
 * ProtoJSON, and over HTTP+JSON clients send either.
 */
export const paramsAsRead = ({ version }: Dialect, params: unknown, operation: Operation): unknown =>
  version === 'a2a-0.3' && isObject(params) ? paramsFrom(params, operation) : params;
