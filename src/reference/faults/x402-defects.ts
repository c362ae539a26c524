import type { Fault } from '../fault.js';
import { x402AmountFaults } from './x402-defects-amounts.js';
import { x402HostileFaults } from './x402-defects-hostile.js';
import { x402MalformedFaults } from './x402-defects-malformed.js';
import { x402OfferedFaults } from './x402-defects-offers.js';
import { x402RobustFaults } from './x402-defects-robust.js';
import { x402SignatureFaults } from './x402-defects-signatures.js';
import { x402TimeFaults } from './x402-defects-times.js';
import { x402ValueFaults } from './x402-defects-values.js';

/** Wrong payments that are accepted. */
export const x402DefectsFaults: readonly Fault[] = [
  ...x402AmountFaults,
  ...x402OfferedFaults,
  ...x402TimeFaults,
  ...x402SignatureFaults,
  ...x402MalformedFaults,
  ...x402ValueFaults,
  ...x402HostileFaults,
  ...x402RobustFaults,
];
