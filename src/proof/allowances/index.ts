import { cardAllowances } from './card.js';
import { dataAllowances } from './data.js';
import { messageAllowances } from './message.js';
import { rpcAllowances } from './rpc.js';
import { taskAllowances } from './task.js';

export type { Allowance } from './allowance.js';

export const allowances = [
  ...cardAllowances,
  ...rpcAllowances,
  ...messageAllowances,
  ...taskAllowances,
  ...dataAllowances,
];
