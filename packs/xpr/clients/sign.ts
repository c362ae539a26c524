import type { Header } from '../../../src/wire/index.js';
import { readPrivateKey, type Signing, signedHeaders } from '../signing/index.js';

/** Signs the requests of a client, with the account of its errand; `more`: other values than the right ones. */
export function signerFor({ account = '', key = '', lines, audience, chainId }: Readonly<Record<string, string>>) {
  const scheme =
    lines === '5' && audience !== undefined && chainId !== undefined
      ? ({ lines: 5, audience, chainId } as const)
      : ({ lines: 3 } as const);
  return (body: Uint8Array, more: Partial<Signing> = {}): readonly Header[] =>
    signedHeaders({
      account,
      key: readPrivateKey(key),
      timestamp: String(Math.floor(Date.now() / 1000)),
      body,
      scheme,
      ...more,
    });
}
