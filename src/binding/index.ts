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
export { httpJson, urlBelow } from './http-json.js';
export { jsonrpc } from './jsonrpc.js';

/** Every binding that the kit speaks. */
export const bindings: readonly Binding[] = [jsonrpc, httpJson];
