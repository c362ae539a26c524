import { xprClientFaults } from './xpr/clients/faults.js';

/** Faults of clients, of the packs that ship with the kit. */
export const bundledClientFaults = xprClientFaults;
