import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFacilitator, merchant } from '../packs/x402/agent/index.js';
import { caip2Of, localToken, readWallet } from '../packs/x402/payments/index.js';
import { dialectById } from '../src/dialect/index.js';
import { createAgent, serveAgent } from '../src/reference/index.js';
import { bodyText, realClock } from '../src/wire/index.js';
import { startChild } from './child.js';

// Any program that has a signed payment can cash it. However the process ends, its user learns of each payment that
// went out. SIGNAL_MOMENTS=20 tries each signal at twenty moments; a usual run at two.

const moments = Number(process.env['SIGNAL_MOMENTS'] ?? 2);
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-signals-'));
afterAll(() => rmSync(folder, { recursive: true }));

const key = '4c'.repeat(32);
const wallet = readWallet(`0x${key}`);

/** Nonces of the payments in a body that the wallet has signed. */
function nonces(body: string): readonly string[] {
  if (!body.toLowerCase().includes(wallet.address.toLowerCase())) return [];
  return [...body.matchAll(/"nonce":"(0x[0-9a-f]{64})"/g)].map(([, nonce = '']) => nonce);
}

/** A merchant who never answers from so many requests after the first payment on, and prints all that it has seen. */
async function paidAgent(last: number) {
  const dialect = dialectById('a2a-1.0') ?? expect.fail('no dialect');
  const facilitator = createFacilitator({ clock: realClock });
  await facilitator.control.fund(
    wallet.address,
    { network: caip2Of(localToken.chainId), asset: localToken.asset },
    '9000000',
  );
  const seen = new Set<string>();
  let requests = 0;
  let tell = (): void => undefined;
  const silent = new Promise<void>((resolve) => {
    tell = resolve;
  });
  let stop = (): void => undefined;
  const served = await serveAgent((baseUrl) => {
    const agent = createAgent({
      dialect,
      clock: realClock,
      baseUrl,
      patches: [merchant({}, { url: 'http://facilitator.test', carrier: facilitator.handle })],
    });
    stop = () => agent.stop();
    return (request, signal) => {
      for (const nonce of nonces(bodyText(request.body))) seen.add(nonce);
      if (seen.size > 0) requests++;
      if (requests < last) return agent.handle(request, signal);
      tell();
      return new Promise(() => undefined);
    };
  }, {});
  return {
    url: served.url,
    silent,
    seen,
    async close() {
      stop();
      await served.close();
    },
  };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

test.each(signals)(
  '%s twice: every payment that is out is reported, and no file is left',
  { timeout: 90_000 * moments },
  async (signal) => {
    let most = 0;
    for (let moment = 1; moment <= moments; moment++) {
      const agent = await paidAgent(moment);
      const out = join(folder, `${signal}-${moment}`);
      const child = startChild(
        [
          ...['--url', agent.url, '--suite', 'x402', '--x402', '--seed', String(moment), '--timeout', '60000'],
          ...['--x402-max-amount', '1000000', '--x402-max-total', '9000000'],
          ...[
            '--x402-allow-network',
            caip2Of(localToken.chainId),
            '--x402-asset',
            `${caip2Of(localToken.chainId)}:${localToken.asset}`,
          ],
          ...['--report', `json=${join(out, 'a.json')}`, '--report', `html=${join(out, 'a.html')}`],
        ],
        { A2A_TCK_X402_KEY: key },
      );
      const before = await Promise.race([agent.silent, child.ended]);
      expect(before).toBeUndefined();
      child.kill(signal);
      // Two signals: a process that has missed the first would get one.
      await new Promise<void>((resolve) => child.stderr?.once('data', () => resolve()));
      child.kill(signal);
      const { code, err } = await child.ended;
      await agent.close();
      expect(code).toBe(130);
      expect(agent.seen.size).toBeGreaterThanOrEqual(1);
      const nonces = [...err.matchAll(/nonce (0x[0-9a-f]{64})/g)].map(([, nonce]) => nonce);
      expect([...agent.seen].filter((nonce) => !nonces.includes(nonce))).toEqual([]);
      most = Math.max(most, agent.seen.size);
      expect(err).not.toContain(key);
      expect(readdirSync(out)).toEqual([]);
    }
    // Some of the moments are behind more than one payment.
    if (moments >= 20) expect(most).toBeGreaterThan(1);
  },
);
