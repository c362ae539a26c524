import { isString, member } from '../../../src/model/index.js';
import { createStubClient, type StubNature, type StubOptions } from '../../../src/run/index.js';
import type { ChainCall, ChainControl } from '../signing/index.js';

const nature: StubNature = {
  name: 'chain stub',
  hint: 'start it with a2a-tck stub --profile xpr, and give the URL that it prints after "control"',
  maxBytes: 4 * 1024 * 1024,
};

/**
 * Controls a chain stub that runs elsewhere. `url`: as `a2a-tck stub` prints it. Throws and rejects like
 * `createStubClient`.
 */
export function createChainStub(url: string, options: StubOptions): ChainControl {
  const { ask, order, stranger } = createStubClient(url, nature, options);
  return {
    async chainId() {
      const chainId = member(await ask('chain-id', {}), 'chainId');
      if (isString(chainId) && /^[0-9a-f]{64}$/.test(chainId)) return chainId;
      throw stranger('its chain id is invalid');
    },
    setAccount: (account) => order('set-account', { ...account }),
    removeAccount: (name) => order('remove-account', { account: name }),
    setAgent: (row) => order('set-agent', { ...row }),
    removeAgent: (account) => order('remove-agent', { account }),
    setKyc: (row) => order('set-kyc', { ...row }),
    removeKyc: (account) => order('remove-kyc', { account }),
    setFailure: (account, mode) => order('set-failure', { account, ...(mode === undefined ? {} : { mode }) }),
    async calls() {
      const calls = member(await ask('calls', {}), 'calls');
      if (Array.isArray(calls) && calls.every(isCall)) return calls;
      throw stranger('its list of calls is invalid');
    },
    reset: () => order('reset', {}),
  };
}

function isCall(value: unknown): value is ChainCall {
  const account = member(value, 'account');
  return (
    Number.isSafeInteger(member(value, 'number')) &&
    typeof member(value, 'at') === 'number' &&
    isString(member(value, 'path')) &&
    (account === undefined || isString(account))
  );
}
