import type { Fault } from '../fault.js';
import { cancelFaults } from './cancel.js';
import { cardFaults } from './card.js';
import { dataFaults } from './data.js';
import { getFaults } from './get.js';
import { lifeFaults } from './life.js';
import { rpcFaults } from './rpc.js';
import { sendFaults } from './send.js';

/** Every seeded fault, a file a chapter of the requirements. */
export const faults: readonly Fault[] = [
  ...cardFaults,
  ...rpcFaults,
  ...sendFaults,
  ...getFaults,
  ...cancelFaults,
  ...lifeFaults,
  ...dataFaults,
];
