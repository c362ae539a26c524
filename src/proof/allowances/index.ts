import { authAllowances } from './auth.js';
import { cardAllowances } from './card.js';
import { dataAllowances } from './data.js';
import { extensionAllowances } from './extension.js';
import { messageAllowances } from './message.js';
import { pushAllowances } from './push.js';
import { rpcAllowances } from './rpc.js';
import { signatureAllowances } from './signature.js';
import { streamAllowances } from './stream.js';
import { taskAllowances } from './task.js';
import { xprAllowances } from './xpr.js';

export type { Allowance } from './allowance.js';

export const allowances = [
  ...cardAllowances,
  ...rpcAllowances,
  ...messageAllowances,
  ...taskAllowances,
  ...dataAllowances,
  ...streamAllowances,
  ...authAllowances,
  ...extensionAllowances,
  ...signatureAllowances,
  ...pushAllowances,
  ...xprAllowances,
];
