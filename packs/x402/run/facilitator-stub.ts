import { isObject, isString, type JsonObject, member } from '../../../src/model/index.js';
import { createStubClient, type StubNature, type StubOptions } from '../../../src/run/index.js';
import {
  type FacilitatorCall,
  type FacilitatorControl,
  type FacilitatorSettlement,
  isUint256,
} from '../payments/index.js';

const nature: StubNature = {
  name: 'facilitator stub',
  hint: 'start it with a2a-tck stub --x402, and give the URL that it prints after "control"',
  maxBytes: 64 * 1024 * 1024,
};

/**
 * Controls a facilitator stub that runs elsewhere. `url`: as `a2a-tck stub --x402` prints it. Throws and rejects like
 * `createStubClient`.
 */
export function createFacilitatorStub(url: string, options: StubOptions): FacilitatorControl {
  const { ask, order, stranger } = createStubClient(url, nature, options);
  async function list<T>(operation: string, isOne: (value: unknown) => value is T): Promise<readonly T[]> {
    const found = member(await ask(operation, {}), operation);
    if (Array.isArray(found) && found.every(isOne)) return found;
    throw stranger(`its list of ${operation} is invalid`);
  }

  return {
    fund: (address, token, amount) => order('fund', { address, token, amount }),
    async balance(address, token) {
      const balance = member(await ask('balance', { address, token }), 'balance');
      if (isUint256(balance)) return balance;
      throw stranger('its balance is invalid');
    },
    setBehaviour: (wanted) => order('set-behaviour', wanted === undefined ? {} : { order: wanted }),
    settlements: () => list('settlements', isSettlement),
    calls: () => list('calls', isCall),
    async now() {
      const now = member(await ask('now', {}), 'now');
      if (typeof now === 'number' && Number.isFinite(now)) return now;
      throw stranger('its time is invalid');
    },
    setClockOffset: (ms) => order('set-clock-offset', { ms }),
    reset: () => order('reset', {}),
  };
}

const isNumbered = (value: unknown): value is JsonObject =>
  isObject(value) && Number.isSafeInteger(member(value, 'number')) && typeof member(value, 'at') === 'number';
const haveTexts = (value: JsonObject, ...names: readonly string[]): boolean =>
  names.every((name) => isString(member(value, name)));

function isCall(value: unknown): value is FacilitatorCall {
  if (!isNumbered(value) || !haveTexts(value, 'method', 'path')) return false;
  const [status, answer] = [member(value, 'status'), member(value, 'answer')];
  return (status === undefined || Number.isSafeInteger(status)) && (answer === undefined || isObject(answer));
}

const isSettlement = (value: unknown): value is FacilitatorSettlement =>
  isNumbered(value) && haveTexts(value, 'network', 'asset', 'from', 'to', 'value', 'nonce', 'transaction');
