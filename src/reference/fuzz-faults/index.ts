import { byteFaults } from './bytes.js';
import { callerFaults } from './callers.js';
import { chainFaults } from './chains.js';
import { costFaults } from './costs.js';
import { envelopeFaults } from './envelopes.js';
import type { FuzzFault } from './fuzz-fault.js';
import { listFaults } from './lists.js';
import { messageFaults } from './messages.js';
import { paramFaults } from './params.js';
import { pathFaults } from './paths.js';
import { raceFaults } from './races.js';
import { sideFaults } from './sides.js';
import { stateFaults } from './states.js';
import { streamFaults } from './streams.js';

export type { FuzzFault } from './fuzz-fault.js';

/** All seeded faults; the kill matrix leaves them out. */
export const fuzzFaults: readonly FuzzFault[] = [
  ...byteFaults,
  ...envelopeFaults,
  ...paramFaults,
  ...costFaults,
  ...stateFaults,
  ...raceFaults,
  ...listFaults,
  ...streamFaults,
  ...chainFaults,
  ...callerFaults,
  ...pathFaults,
  ...messageFaults,
  ...sideFaults,
];
