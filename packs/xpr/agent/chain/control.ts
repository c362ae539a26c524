import { type ControlOperation, controlOver, object, operation } from '../../../../src/reference/patching.js';
import type { Carrier } from '../../../../src/wire/index.js';
import type { ChainControl } from '../../signing/index.js';
import { readAccount, readAgent, readFailure, readKyc, readName } from './input.js';

const mostBytes = 256 * 1024;

const nothing = object<Record<never, never>>({});
const name = object<{ readonly account: string }>({ account: readName });

type Operation = ControlOperation<ChainControl>;
const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['set-account', operation(readAccount, (control, account) => control.setAccount(account))],
  ['remove-account', operation(name, (control, { account }) => control.removeAccount(account))],
  ['set-agent', operation(readAgent, (control, row) => control.setAgent(row))],
  ['remove-agent', operation(name, (control, { account }) => control.removeAgent(account))],
  ['set-kyc', operation(readKyc, (control, row) => control.setKyc(row))],
  ['remove-kyc', operation(name, (control, { account }) => control.removeKyc(account))],
  ['set-failure', operation(readFailure, (control, { account, mode }) => control.setFailure(account, mode))],
  ['reset', operation(nothing, (control) => control.reset())],
  ['calls', operation(nothing, async (control) => ({ calls: await control.calls() }))],
  ['chain-id', operation(nothing, async (control) => ({ chainId: await control.chainId() }))],
]);

/** The control of a stub of the chain over HTTP: `{ done: true }`, `{ calls }` or `{ chainId }`. */
export const controlHandle = (control: ChainControl): Carrier => controlOver(operations, control, mostBytes);
