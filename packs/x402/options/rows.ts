import { amount, flag, integer, type Options, onlyArgument, text, texts } from '../../../src/options/shared/option.js';

/** Payments. */
export const x402Options = {
  x402: flag('judge payments too: the agent charges through the x402 extension', {
    deed: 'signs or pays with keys',
    api: 'x402',
  }),
  'x402-message': text('<text>', 'what the agent charges for', { usual: 'paid-echo', api: 'x402.message' }),
  'x402-key-file': text('<file>', 'a file that holds the key of a wallet with funds; or A2A_TCK_X402_KEY', {
    deed: 'signs or pays with keys',
    secret: 'file',
    api: 'x402.key',
  }),
  'x402-key': text('<key>', 'the key itself; every user of this machine can read arguments', {
    places: onlyArgument,
    secret: 'value',
    api: 'x402.key',
  }),
  'x402-max-amount': amount('the most that one payment may cost, in atomic units; a key needs it', {
    inFile: 'the most that one payment may cost, in atomic units; a text where they are many',
    api: 'x402.maxAmount',
  }),
  'x402-max-total': amount('the most that all payments together may cost, of all agents of a fleet', {
    usual: 'one payment',
    api: 'x402.maxTotal',
  }),
  'x402-allow-network': texts('<network>', 'pay there too, as eip155:8453 or base', {
    usual: 'test networks',
    deed: 'trusts others',
    api: 'x402.allowNetworks',
  }),
  'x402-asset': texts('<network:address>', 'pay in this token too', {
    usual: 'known ones',
    deed: 'trusts others',
    api: 'x402.assets',
  }),
  'x402-allow-upfront': flag('pay too where the agent charges before it works, and gives nothing back', {
    deed: 'signs or pays with keys',
    api: 'x402.allowUpfront',
  }),
  'x402-timeout': integer('<ms>', [1, 3_600_000], 'for a payment to be decided', {
    usual: '60000',
    api: 'x402.timeoutMs',
  }),
  'x402-stub': text(
    '<url>',
    'control URL of the a2a-tck stub --x402 that the agent settles through; pays with play money',
    { api: 'x402.stub' },
  ),
} satisfies Options;
