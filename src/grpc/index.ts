export { a2a03 } from './a2a-0.3.js';
export { a2a10 } from './a2a-1.0.js';
export { type GrpcAnswer, type GrpcEnd, type GrpcMessage, type GrpcReply, isGrpc } from './answer.js';
export {
  changedWithin,
  fieldNumber,
  joinedBytes,
  nestedStruct,
  rawBytes,
  rawNumber,
  rawTag,
  wireTypes,
} from './bytes.js';
export type { DecodedMessage, NoMessage, Oddities, ProtoCodec } from './codec.js';
export { rpcCodes } from './codes.js';
export { framed, framesIn, type GrpcFrame, isWhole } from './frames.js';
export { googleRpc } from './google-rpc.js';
export {
  grpcAnswer,
  grpcCodec,
  grpcLoad,
  grpcRequest,
  loadGrpc,
  type MethodPlace,
  methodAt,
  writeStatus,
} from './lazy.js';
export type { RpcStatus } from './status.js';
export type { MethodTable, PackageTable } from './table.js';
