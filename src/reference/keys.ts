import type { SigningKey } from '../signing/index.js';

/** The key of RFC 8037, appendix A.1: it is public, so it protects no secret. EdDSA gives the same bytes each time. */
export const testKey: SigningKey = {
  kid: 'key-1',
  alg: 'EdDSA',
  jwk: {
    kty: 'OKP',
    crv: 'Ed25519',
    d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  },
};
