import type { Binding } from './binding.js';
import { httpJson } from './http-json.js';
import { jsonrpc } from './jsonrpc.js';

export type {
  Binding,
  BindingId,
  ErrorNumbers,
  ErrorTable,
  HttpRoute,
  Inexpressible,
  NativeCall,
  NativeError,
  NativeRequest,
  OperationNames,
  ReplyPlace,
  Said,
} from './binding.js';
export { failureOf, grpc } from './grpc.js';
export { httpJson, urlBelow } from './http-json.js';
export { jsonrpc } from './jsonrpc.js';

/** The bindings that the kit judges. */
export const bindings: readonly Binding[] = [jsonrpc, httpJson];

export { framesIn, grpcAnswer, grpcCodec, isGrpc, isWhole, loadGrpc, methodAt, rpcCodes } from '../grpc/index.js';
