import { choice, flag, integer, type Options, onlyArgument, text } from '../../../src/options/shared/option.js';

/** Callers that sign, of XPR agents. */
export const xprOptions = {
  'xpr-account': text('<name>', 'the account that signs; its key in A2A_TCK_XPR_KEY', {
    deed: 'signs or pays with keys',
    api: 'xpr.account',
  }),
  'xpr-key-file': text('<file>', 'a file that holds the key: WIF or PVT_K1_…', {
    deed: 'signs or pays with keys',
    secret: 'file',
    api: 'xpr.key',
  }),
  'xpr-key': text('<key>', 'the key itself; every user of this machine can read arguments', {
    places: onlyArgument,
    secret: 'value',
    api: 'xpr.key',
  }),
  'xpr-second-account': text('<name>', 'another account; its key in A2A_TCK_XPR_SECOND_KEY', {
    deed: 'signs or pays with keys',
    api: 'xpr.secondAccount',
  }),
  'xpr-second-key-file': text('<file>', 'a file that holds the key of that account', {
    deed: 'signs or pays with keys',
    secret: 'file',
    api: 'xpr.secondKey',
  }),
  'xpr-unregistered-account': text(
    '<name>',
    'an account that is not a registered agent; its key in A2A_TCK_XPR_UNREGISTERED_KEY',
    { deed: 'signs or pays with keys', api: 'xpr.unregisteredAccount' },
  ),
  'xpr-unregistered-key-file': text('<file>', 'a file that holds the key of that account', {
    deed: 'signs or pays with keys',
    secret: 'file',
    api: 'xpr.unregisteredKey',
  }),
  'xpr-digest': choice('<lines>', ['v1', 'v2', 'auto'], 'what is signed: three lines, or five', {
    usual: 'auto',
    api: 'xpr.digest',
  }),
  'xpr-audience': text('<account>', 'for whom five lines are signed', {
    usual: 'the account of the card',
    api: 'xpr.audience',
  }),
  'xpr-chain-id': text('<hex>', 'for which chain five lines are signed', {
    usual: 'what --xpr-rpc says',
    pattern: '^[0-9a-f]{64}$',
    api: 'xpr.chainId',
  }),
  'xpr-rpc': text('<url>', 'RPC endpoint of the chain: tells beforehand which keys the agent should accept', {
    api: 'xpr.rpc',
  }),
  'xpr-rate': integer('<n>', [3, 100_000], 'signed requests that the agent takes in a minute', {
    usual: '20',
    api: 'xpr.rate',
  }),
  'xpr-allow-send': flag('messages may be sent, although each starts work', {
    usual: 'to agents on this machine',
    api: 'xpr.allowSend',
  }),
  'xpr-min-kyc': integer('<level>', [0, 3], 'the KYC level that the agent asks for', { api: 'xpr.minKyc' }),
  'xpr-min-trust': integer('<score>', [0, 100], 'the trust score that the agent asks for', { api: 'xpr.minTrust' }),
  'xpr-stub': text('<url>', 'control URL of a2a-tck stub, which stands in for the chain that the agent asks', {
    api: 'xpr.stub',
  }),
} satisfies Options;
