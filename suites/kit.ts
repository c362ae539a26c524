import type { Rule } from '../src/kit/index.js';
import { authRules } from './auth/index.js';
import { cardRules } from './card/index.js';
import { dataRules } from './data/index.js';
import { dialectRules } from './dialect/index.js';
import { durabilityRules } from './durability/index.js';
import { equivalenceRules } from './equivalence/index.js';
import { extensionRules } from './extension/index.js';
import { grpcRules } from './grpc/index.js';
import { listRules } from './list/index.js';
import { messageRules } from './message/index.js';
import { pushRules } from './push/index.js';
import { restRules } from './rest/index.js';
import { rpcRules } from './rpc/index.js';
import { signatureRules } from './signature/index.js';
import { streamRules } from './stream/index.js';
import { taskRules } from './task/index.js';
import { versionRules } from './version/index.js';

/** The checks and laws of the kit itself, a folder a chapter, in the order in which they are listed and reported. */
export const kitRules: readonly Rule[] = [
  ...cardRules,
  ...rpcRules,
  ...restRules,
  ...grpcRules,
  ...messageRules,
  ...taskRules,
  ...dataRules,
  ...listRules,
  ...versionRules,
  ...streamRules,
  ...dialectRules,
  ...pushRules,
  ...authRules,
  ...extensionRules,
  ...signatureRules,
  ...equivalenceRules,
  ...durabilityRules,
];
