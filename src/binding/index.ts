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
