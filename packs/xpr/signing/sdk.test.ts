import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { A2AClient, createA2ADigest, hashBody, recoverA2APublicKey, signA2ARequest } from '@xpr-agents/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bodyHash,
  digest,
  headerNames,
  privateKeyFor,
  publicKeyText,
  pvtText,
  readSignature,
  recover,
  signatureFor,
  signedHash,
  signedHeaders,
  wif,
} from './index.js';

// Both ways with the published SDK: what it signs is verified here, what is signed here is verified there.

const scheme = { lines: 3 } as const;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const names = fc.stringMatching(/^[a-z1-5.]{0,11}[a-z1-5]$/);
const bodies = fc.json();
const requests = fc.record({ account: names, timestamp: fc.nat(), body: bodies, label: fc.string() });

/** The key that the SDK finds. */
function theirs(signature: string, account: string, timestamp: number, body: string): string | undefined {
  try {
    return recoverA2APublicKey(signature, account, timestamp, hashBody(body));
  } catch {
    return undefined;
  }
}

test('digests and signatures are the same', () => {
  fc.assert(
    fc.property(requests, ({ account, timestamp, body, label }) => {
      const key = privateKeyFor(label);
      const claim = { account, timestamp: String(timestamp), body: utf8(body) };
      expect(bodyHash(claim.body)).toBe(hashBody(body));
      expect(Buffer.from(digest(scheme, claim)).toString('hex')).toBe(
        createA2ADigest(account, timestamp, hashBody(body)),
      );
      const ours = signatureFor(scheme, claim, key);
      for (const text of [wif(key), pvtText(key)]) {
        expect(signA2ARequest(text, account, timestamp, hashBody(body))).toBe(ours);
      }
      expect(theirs(ours, account, timestamp, body)).toBe(publicKeyText(key.publicKey));
    }),
    { numRuns: 100 },
  );
});

test('the SDK does not take our signature for another request', () => {
  fc.assert(
    fc.property(requests, ({ account, timestamp, body, label }) => {
      const key = privateKeyFor(label);
      const ours = signatureFor(scheme, { account, timestamp: String(timestamp), body: utf8(body) }, key);
      const others = [
        theirs(ours, `${account}a`, timestamp, body),
        theirs(ours, account, timestamp + 1, body),
        theirs(ours, account, timestamp, `${body} `),
        theirs(
          signatureFor(
            { lines: 5, audience: 'm', chainId: '00' },
            { account, timestamp: String(timestamp), body: utf8(body) },
            key,
          ),
          account,
          timestamp,
          body,
        ),
      ];
      expect(others).not.toContain(publicKeyText(key.publicKey));
    }),
    { numRuns: 30 },
  );
});

describe('requests of the client of the SDK', () => {
  const key = privateKeyFor('client of the SDK');

  async function listening(listener: (request: IncomingMessage, body: Uint8Array) => void) {
    const server = createServer(async (request, response) => {
      listener(request, await buffer(request));
      response.setHeader('content-type', 'application/json').end('{"jsonrpc":"2.0","id":1,"result":{"id":"task"}}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
  }

  test('are verified here, and carry the headers that we would send', async () => {
    const found: unknown[] = [];
    const { url, server } = await listening(({ headers }, body) => {
      const account = String(headers[headerNames.account.toLowerCase()]);
      const timestamp = String(headers[headerNames.timestamp.toLowerCase()]);
      const signature = String(headers[headerNames.signature.toLowerCase()]);
      const claim = { account, timestamp, body };
      expect(signedHeaders({ ...claim, scheme, key })).toEqual([
        ['X-XPR-Account', account],
        ['X-XPR-Timestamp', timestamp],
        ['X-XPR-Signature', signature],
      ]);
      const by = recover(signedHash(digest(scheme, claim)), readSignature(signature));
      const tampered = recover(
        signedHash(digest(scheme, { ...claim, body: Buffer.concat([body, utf8(' ')]) })),
        readSignature(signature),
      );
      found.push([account, by && publicKeyText(by), tampered && publicKeyText(tampered)]);
    });
    try {
      const client = new A2AClient(url, { callerAccount: 'alice', signingKey: wif(key) });
      await client.getTask('task');
      await client.sendMessage({ role: 'user', parts: [{ type: 'text', text: 'Grüße 🐈 \u0000' }] });
    } finally {
      server.close();
    }
    const mine = publicKeyText(key.publicKey);
    expect(found).toEqual(Array(2).fill(['alice', mine, expect.not.stringContaining(mine)]));
  });
});

test('the libraries to compare with leave the process as it was', async () => {
  const { spawnSync } = await import('node:child_process');
  const script = `
    const names = () => Reflect.ownKeys(globalThis).map(String).join();
    const { fetch, AbortController, Request, TextEncoder, crypto } = globalThis;
    const before = names();
    require('@proton/js');
    require('@xpr-agents/sdk');
    const same = fetch === globalThis.fetch && AbortController === globalThis.AbortController
      && Request === globalThis.Request && TextEncoder === globalThis.TextEncoder && crypto === globalThis.crypto;
    if (!same || before !== names()) process.stdout.write(names().slice(before.length) || 'other');
  `;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
});
