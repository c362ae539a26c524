import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createFacilitator, merchant } from '../packs/x402/agent/index.js';
import { caip2Of, localToken, readWallet } from '../packs/x402/payments/index.js';
import { runAndReport } from '../src/cli/run-and-report.js';
import { resolveSettings } from '../src/cli/settings.js';
import { dialectById } from '../src/dialect/index.js';
import { createAgent, serveAgent } from '../src/reference/index.js';
import { bodyText, realClock } from '../src/wire/index.js';
import { startChild } from './child.js';
import { silentTerminal } from './terminal.js';

// Several runs that spend one person's money, with processes and threads of their own: the total is that of all of them.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-totals-'));
const key = '4d'.repeat(32);
const wallet = readWallet(`0x${key}`);
const price = 10_000;

/** Merchants of one wallet: whatever they may want, they would get. Their ports stay the same. */
async function market(count: number) {
  const facilitator = createFacilitator({ clock: realClock });
  const token = { network: caip2Of(localToken.chainId), asset: localToken.asset };
  await facilitator.control.fund(wallet.address, token, '9000000');
  const seen = new Set<string>();
  const stops: (() => void)[] = [];
  const open = async (listening: { readonly port?: number } = {}) => {
    const served = await serveAgent((baseUrl) => {
      const agent = createAgent({
        dialect: dialectById('a2a-1.0') ?? expect.fail('no dialect'),
        clock: realClock,
        baseUrl,
        patches: [merchant({}, { url: 'http://facilitator.test', carrier: facilitator.handle })],
      });
      stops.push(() => agent.stop());
      return (request, signal) => {
        const body = bodyText(request.body);
        if (body.toLowerCase().includes(wallet.address.toLowerCase()))
          for (const [, nonce = ''] of body.matchAll(/"nonce":"(0x[0-9a-f]{64})"/g)) seen.add(nonce);
        return agent.handle(request, signal);
      };
    }, listening);
    stops.push(() => void served.close());
    return served;
  };
  const agents = [];
  for (let at = 0; at < count; at++) agents.push(await open());
  return {
    agents,
    open,
    /** Payments that the wallet has signed, in the order in which they came. */
    seen,
    close() {
      for (const stop of stops) stop();
    },
  };
}

let merchants: Awaited<ReturnType<typeof market>>;
beforeAll(async () => {
  merchants = await market(4);
});
afterAll(() => {
  merchants.close();
  rmSync(folder, { recursive: true });
});

const totalIn = (out: string): string | undefined => /all agents together: .*/.exec(out)?.[0];

async function fleet(out: string, defaults: object, item: object = {}) {
  merchants.seen.clear();
  const file = join(folder, `${out}.yaml`);
  const wanted = { profile: 'a2a-1.0', check: ['x402/paid'], x402: true, 'x402-max-amount': price, ...defaults };
  const targets = merchants.agents.map(({ url }, at) => ({ name: `agent ${at}`, url, ...item }));
  writeFileSync(file, stringify({ defaults: wanted, targets }));
  const args = ['fleet', file, '--out', join(folder, out), '--concurrency', '4'];
  const ended = await startChild(args, { A2A_TCK_X402_KEY: key }, folder).ended;
  const reasons = merchants.agents.map((_, at) => {
    const report = JSON.parse(readFileSync(join(folder, out, `${at + 1}-agent-${at}.json`), 'utf8')) as {
      readonly checks: readonly { readonly id: string; readonly verdict: string; readonly reason: string }[];
    };
    return report.checks.map(({ verdict, reason }) => `${verdict} ${reason}`.trim()).join();
  });
  return { ...ended, reasons };
}

const spent = /^inconclusive the kit did not pay: the payments of all agents and of all runs together would be above/;

describe('a fleet of four, at once', { timeout: 120_000 }, () => {
  test.for([
    ['without a total: one payment of all', {}, {}, 1],
    ['with a total', { 'x402-max-total': 3 * price }, {}, 3],
    ['with totals of each agent, and none of all: the largest is that of all', {}, { 'x402-max-total': 2 * price }, 2],
    ['with both', { 'x402-max-total': 3 * price }, { 'x402-max-total': price }, 3],
  ] as const)('%s', async ([name, defaults, item, most]) => {
    const { out, err, reasons } = await fleet(name.replaceAll(/\W+/g, '-'), defaults, item);
    expect(err).toBe('');
    expect(merchants.seen.size).toBe(most);
    expect(reasons.filter((reason) => reason === 'pass')).toHaveLength(most);
    expect(reasons.filter((reason) => spent.test(reason))).toHaveLength(4 - most);
    const total = most * price;
    expect(totalIn(out)).toBe(`all agents together: payments of ${total} atomic units, of at most ${total}`);
  });

  test('no line about payments comes where no agent can be paid', async () => {
    const file = join(folder, 'poor.yaml');
    const targets = [{ name: 'poor', url: merchants.agents[0]?.url, check: 'card/name' }];
    writeFileSync(file, stringify({ targets }));
    const { out } = await startChild(['fleet', file, '--out', join(folder, 'poor')], {}, folder).ended;
    expect(totalIn(out)).toBeUndefined();
  });
});

describe('payments that no report tells of are printed', () => {
  const nonces = (text: string) => [...text.matchAll(/nonce (0x[0-9a-f]{64})/g)].map(([, nonce]) => nonce);

  test('of an agent of a fleet whose report cannot be written', { timeout: 60_000 }, async () => {
    merchants.seen.clear();
    const out = join(folder, 'taken');
    mkdirSync(join(out, '1-agent.json'), { recursive: true });
    const file = join(folder, 'taken.yaml');
    const item = { check: 'x402/paid', x402: true, 'x402-max-amount': price, profile: 'a2a-1.0' };
    writeFileSync(file, stringify({ targets: [{ name: 'agent', url: merchants.agents[0]?.url, ...item }] }));
    const { err } = await startChild(['fleet', file, '--out', out], { A2A_TCK_X402_KEY: key }, folder).ended;
    expect(nonces(err)).toEqual([...merchants.seen]);
    expect(merchants.seen.size).toBe(1);
  });

  test('of a run that ends with an error', async () => {
    merchants.seen.clear();
    const given = { x402: true, x402MaxAmount: price, check: ['x402/paid'], profile: 'a2a-1.0' };
    const settings = resolveSettings(given, { A2A_TCK_X402_KEY: key });
    let err = '';
    const terminal = {
      ...silentTerminal(),
      err: (text: string) => {
        err += text;
      },
    };
    const onReport = (): never => {
      throw new Error('the disk is full');
    };
    const url = merchants.agents[0]?.url ?? '';
    await expect(runAndReport(url, settings, terminal, { onReport })).rejects.toThrow('the disk is full');
    expect(nonces(err)).toEqual([...merchants.seen]);
    expect(merchants.seen.size).toBe(1);
  });
});

test('all runs of --watch have one total', { timeout: 120_000 }, async () => {
  merchants.seen.clear();
  const agent = await merchants.open();
  const check = ['--profile', 'a2a-1.0', '--check', 'x402/paid', '--x402', '--x402-max-amount', String(price)];
  const watching = startChild(
    ['--url', agent.url, ...check, '--x402-max-total', String(2 * price), '--watch', '*.ts'],
    { A2A_TCK_X402_KEY: key },
    folder,
  );
  let text = '';
  let wake = (): void => undefined;
  for (const stream of [watching.stdout, watching.stderr]) {
    stream?.on('data', (part: string) => {
      text += part;
      wake();
    });
  }
  const until = async (part: RegExp): Promise<void> => {
    while (!part.test(text)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    text = text.replace(part, '');
  };
  await until(/waiting until/);
  for (let change = 1; change <= 3; change++) {
    writeFileSync(join(folder, `agent-${change}.ts`), '');
    await until(/has changed.*waiting until/s);
  }
  watching.kill('SIGINT');
  await watching.ended;
  expect(merchants.seen.size).toBe(2);
});
