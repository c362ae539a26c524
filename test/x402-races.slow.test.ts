import { describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { createFacilitator, merchant } from '../packs/x402/agent/index.js';
import {
  caip2Of,
  extensionUris,
  localToken,
  metadataKeys,
  payment,
  readOffer,
  throwawayWallet,
} from '../packs/x402/payments/index.js';
import { type Dialect, dialectById, methodOf } from '../src/dialect/index.js';
import type { JsonObject } from '../src/model/index.js';
import { createAgent, type Patch, serveAgent } from '../src/reference/index.js';
import { createHttpCarrier } from '../src/wire/http.js';
import { bodyText, type Carrier, type Clock, realClock, sleep, virtualClock } from '../src/wire/index.js';
import { rules } from '../suites/index.js';
import { sell } from './charging.js';

// Copies of one payment at once: one of them is settled, and the kit sees it when more than one is taken.

const copies = 10;
const rounds = 50;
const agentUrl = 'http://agent.test';
const facilitatorUrl = 'http://facilitator.test';
const local = { network: caip2Of(localToken.chainId), asset: localToken.asset };
const profiles = ['a2a-0.3', 'a2a-1.0'] as const;
type Profile = (typeof profiles)[number];
const dialect = (id: Profile): Dialect => dialectById(id) ?? expect.fail(`no dialect ${id}`);
const claimsAwait = faults.find(({ id }) => id === 'x402-claims-await') ?? expect.fail('the fault is gone');

/** As much of a task as is looked at, in the spelling of either version. */
interface Seen {
  readonly id: string;
  readonly metadata: JsonObject;
  readonly artifacts: number;
}

/** A client who knows nothing of the kit's own. */
function clientOf(spoken: Dialect, carrier: Carrier, base: string) {
  const isOld = spoken.id === 'a2a-0.3';
  let count = 0;
  async function call(op: 'send' | 'get', params: JsonObject): Promise<Seen | undefined> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++count, method: methodOf(spoken, op), params });
    const headers = [
      ['content-type', 'application/json'] as const,
      [spoken.extensionHeader, extensionUris.v01] as const,
      ...spoken.headers,
    ];
    const request = { method: 'POST', url: `${base}/`, headers, body: new TextEncoder().encode(body) };
    const response = await carrier(request, new AbortController().signal);
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const { result } = JSON.parse(bodyText(Buffer.concat(chunks)));
    const task = result?.task ?? result;
    if (task === undefined) return undefined;
    return {
      id: task.id,
      metadata: task.status.message?.metadata ?? {},
      artifacts: task.artifacts?.length ?? 0,
    };
  }
  return {
    get: async (id: string) => (await call('get', { id })) ?? expect.fail(`the task ${id} is gone`),
    send: (text: string, more: JsonObject = {}) =>
      call('send', {
        message: {
          ...(isOld ? { kind: 'message', role: 'user' } : { role: 'ROLE_USER' }),
          messageId: `m${++count}`,
          parts: [isOld ? { kind: 'text', text } : { text }],
          ...more,
        },
        configuration: isOld ? { blocking: false } : { returnImmediately: true },
      }),
  };
}

type Client = ReturnType<typeof clientOf>;

async function until(clock: Clock, isOver: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 5000; waited += 20) {
    if (await isOver()) return;
    await sleep(clock, 20);
  }
  expect.fail('nothing happens any more');
}

async function offerOf(client: Client, clock: Clock): Promise<Seen> {
  const asked = (await client.send('paid-echo heron')) ?? expect.fail('no task came');
  let seen = asked;
  await until(clock, async () => {
    seen = await client.get(asked.id);
    return seen.metadata[metadataKeys.status] === 'payment-required';
  });
  return seen;
}

const wallet = throwawayWallet(() => new Uint8Array(32).fill(7));
let nonces = 0;

/** Sends ten copies of one payment to so many tasks at once; says what they have brought. */
async function race(client: Client, clock: Clock, tasks: number) {
  const asked: Seen[] = [];
  while (asked.length < tasks) asked.push(await offerOf(client, clock));
  const offer = readOffer(asked[0]?.metadata[metadataKeys.required]) ?? expect.fail('no offer came');
  const option = offer.options[0] ?? expect.fail('no option came');
  const nonce = `0x${(++nonces).toString(16).padStart(64, 'a')}`;
  const made = payment({ offer, option, wallet, now: Math.floor(clock.now() / 1000), nonce });
  const metadata = { [metadataKeys.status]: 'payment-submitted', [metadataKeys.payload]: made };
  await Promise.all(
    Array.from({ length: copies }, (_, at) =>
      client.send('Here it is.', { taskId: asked[at % tasks]?.id ?? '', metadata }),
    ),
  );
  const all = () => Promise.all(asked.map(({ id }) => client.get(id)));
  const isDecided = ({ metadata: { [metadataKeys.status]: status }, artifacts }: Seen): boolean =>
    status === 'payment-failed' || (status === 'payment-completed' && artifacts > 0);
  await until(clock, async () => (await all()).every(isDecided));
  await sleep(clock, 50);
  const seen = await all();
  const receipts = seen.flatMap((item) => (item.metadata[metadataKeys.receipts] ?? []) as readonly JsonObject[]);
  return {
    nonce,
    successes: receipts.filter((receipt) => receipt['success'] === true).length,
    delivered: seen.filter(({ artifacts }) => artifacts > 0).length,
  };
}

async function inMemory(spoken: Dialect, patches: readonly Patch[] = []) {
  const clock = virtualClock();
  const facilitator = createFacilitator({ clock });
  await facilitator.control.fund(wallet.address, local, '1000000000');
  const agent = createAgent({
    dialect: spoken,
    clock,
    baseUrl: agentUrl,
    patches: [merchant({}, { url: facilitatorUrl, carrier: facilitator.handle }), ...patches],
  });
  return { clock, agent, control: facilitator.control, client: clientOf(spoken, agent.handle, agentUrl) };
}

describe.each(profiles)('%s', (id) => {
  test.each([1, 5])('of ten copies for %i tasks one is settled, each time', async (tasks) => {
    const { clock, agent, control, client } = await inMemory(dialect(id));
    for (let round = 1; round <= rounds; round++) {
      const { nonce, successes, delivered } = await race(client, clock, tasks);
      expect({ successes, delivered }).toEqual({ successes: 1, delivered: 1 });
      const settlements = await control.settlements();
      expect(settlements).toHaveLength(round);
      expect(settlements.at(-1)?.nonce).toBe(nonce);
    }
    expect(agent.crashes).toEqual([]);
    agent.stop();
  });

  test.each([1, 5])('over sockets, with the facilitator over HTTP, for %i tasks', async (tasks) => {
    const carrier = createHttpCarrier();
    const facilitator = createFacilitator({ clock: realClock });
    const stub = await serveAgent(() => facilitator.handle);
    const agents: ReturnType<typeof createAgent>[] = [];
    const served = await serveAgent((baseUrl) => {
      const node = { url: stub.url, carrier };
      const agent = createAgent({
        dialect: dialect(id),
        clock: realClock,
        baseUrl,
        patches: [merchant({}, node)],
      });
      agents.push(agent);
      return agent.handle;
    });
    try {
      await facilitator.control.fund(wallet.address, local, '1000000000');
      const client = clientOf(dialect(id), carrier, served.url);
      const { nonce, successes, delivered } = await race(client, realClock, tasks);
      expect({ successes, delivered }).toEqual({ successes: 1, delivered: 1 });
      expect((await facilitator.control.settlements()).map((settlement) => settlement.nonce)).toEqual([nonce]);
    } finally {
      for (const agent of agents) agent.stop();
      await served.close();
      await stub.close();
      await carrier.close();
    }
  });
});

describe.each(profiles)('the kit, over %s', (profile) => {
  const races = rules.filter(({ id }) => ['x402/race-same-task', 'x402/race-other-tasks'].includes(id));
  const verdicts = async (patches: readonly Patch[], seed: number) => {
    const { report } = await sell({ rules: races, profile, patches, options: { seed } });
    return Object.fromEntries(report.checks.map(({ id, verdict }) => [id, verdict]));
  };

  test('catches who looks, waits, and takes a note, each time', { timeout: 120_000 }, async () => {
    // Without the kit: more than one copy is taken indeed.
    const faulty = await inMemory(dialect(profile), [claimsAwait.patch]);
    expect((await race(faulty.client, faulty.clock, 1)).successes).toBe(copies);
    expect((await race(faulty.client, faulty.clock, 5)).delivered).toBe(5);
    faulty.agent.stop();
    for (let seed = 1; seed <= rounds; seed++) {
      expect(await verdicts([claimsAwait.patch], seed)).toEqual({
        'x402/race-same-task': 'fail',
        'x402/race-other-tasks': 'fail',
      });
    }
  });

  test('holds nothing against who does not, each time', { timeout: 120_000 }, async () => {
    for (let seed = 1; seed <= rounds; seed++) {
      expect(await verdicts([], seed)).toEqual({ 'x402/race-same-task': 'pass', 'x402/race-other-tasks': 'pass' });
    }
  });
});
