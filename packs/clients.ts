import { paymentsFaults } from './x402/clients/faults.js';
import { xprClientFaults } from './xpr/clients/faults.js';

/** Client faults of the packs that ship with the kit. */
export const bundledClientFaults = [...paymentsFaults, ...xprClientFaults];
