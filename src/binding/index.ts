export type {
  Binding,
  BindingId,
  ErrorNumbers,
  ErrorTable,
  NativeCall,
  NativeError,
  NativeRequest,
  OperationNames,
  Said,
} from './binding.js';
export { jsonrpc } from './jsonrpc.js';
