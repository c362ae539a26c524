import { flag, type Options, text, texts } from './option.js';

/** How an agent is reached. HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured without an option. */
export const network = {
  'ca-file': text('<file>', 'certificates in PEM that are trusted too: a private CA, or a self-signed one', {
    deed: 'trusts others',
    api: 'network.ca',
  }),
  'cert-file': text('<file>', 'certificate of the kit in PEM, for agents that want one (mTLS)', {
    deed: 'sends credentials',
    api: 'network.cert',
  }),
  'key-file': text('<file>', 'its private key in PEM', {
    deed: 'sends credentials',
    secret: 'file',
    api: 'network.key',
  }),
  insecure: flag('check no certificate; said in every report, never with payments or signed calls', {
    deed: 'trusts others',
    api: 'network.insecure',
  }),
  resolve: texts('<host:address>', 'call the host at this address; host:port:address too', {
    deed: 'trusts others',
    api: 'network.resolve',
  }),
} satisfies Options;
