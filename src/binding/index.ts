import type { Binding } from './binding.js';
import { grpc } from './grpc.js';
import { httpJson } from './http-json.js';
import { jsonrpc } from './jsonrpc.js';

export type { BindingId } from '../model/index.js';
export type {
  Binding,
  ErrorNumbers,
  ErrorTable,
  Http2Manner,
  HttpRoute,
  Inexpressible,
  NativeCall,
  NativeError,
  NativeRequest,
  OperationNames,
  ReplyPlace,
  Said,
} from './binding.js';
export { reasonSuffix, streamingOperations } from './binding.js';
export { deadlineMs, failureOf, grpcUrl } from './grpc.js';
export { httpJson, urlBelow } from './http-json.js';
export { jsonrpc } from './jsonrpc.js';
export { grpc };

/** The bindings that the kit judges. */
export const bindings: readonly Binding[] = [jsonrpc, httpJson, grpc];

export {
  changedWithin,
  fieldNumber,
  framed,
  framesIn,
  type GrpcAnswer,
  type GrpcFrame,
  grpcAnswer,
  grpcCodec,
  grpcLoad,
  grpcRequest,
  isGrpc,
  isWhole,
  joinedBytes,
  loadGrpc,
  type MethodPlace,
  methodAt,
  nestedStruct,
  rawBytes,
  rawNumber,
  rawTag,
  rpcCodes,
  wireTypes,
  writeStatus,
} from '../grpc/index.js';
