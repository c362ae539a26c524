import {
  type ControlOperation,
  controlOver,
  object,
  operation,
  optional,
  type Reader,
} from '../../../../src/reference/patching.js';
import type { Carrier } from '../../../../src/wire/index.js';
import type { FacilitatorControl, FacilitatorOrder, FacilitatorToken } from '../../payments/index.js';
import { readAddress, readAmount, readOffset, readOrder, readToken } from './input.js';

const mostBytes = 16 * 1024;

const nothing = object<Record<never, never>>({});
const wallet = object<{ readonly address: string; readonly token: FacilitatorToken }>({
  address: readAddress,
  token: readToken,
});
const grant = object<{ readonly address: string; readonly token: FacilitatorToken; readonly amount: string }>({
  address: readAddress,
  token: readToken,
  amount: readAmount,
});
const behaviour = object<{ readonly order?: FacilitatorOrder }>({
  order: optional(readOrder) as Reader<FacilitatorOrder>,
});
const offset = object<{ readonly ms: number }>({ ms: readOffset });

type Operation = ControlOperation<FacilitatorControl>;
const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['fund', operation(grant, (control, { address, token, amount }) => control.fund(address, token, amount))],
  [
    'balance',
    operation(wallet, async (control, { address, token }) => ({ balance: await control.balance(address, token) })),
  ],
  ['set-behaviour', operation(behaviour, (control, { order }) => control.setBehaviour(order))],
  ['set-clock-offset', operation(offset, (control, { ms }) => control.setClockOffset(ms))],
  ['settlements', operation(nothing, async (control) => ({ settlements: await control.settlements() }))],
  ['calls', operation(nothing, async (control) => ({ calls: await control.calls() }))],
  ['now', operation(nothing, async (control) => ({ now: await control.now() }))],
  ['reset', operation(nothing, (control) => control.reset())],
]);

/** The control of a facilitator over HTTP: `{ done: true }`, `{ balance }`, `{ settlements }`, `{ calls }` or `{ now }`. */
export const facilitatorControlHandle = (control: FacilitatorControl): Carrier =>
  controlOver(operations, control, mostBytes);
