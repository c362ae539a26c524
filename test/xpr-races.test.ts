import { describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { createChain, residentKey, residents, xprAgent } from '../packs/xpr/agent/index.js';
import { type Scheme, signedHeaders } from '../packs/xpr/signing/index.js';
import { type Dialect, dialectById } from '../src/dialect/index.js';
import { prove } from '../src/proof/index.js';
import { createAgent, type Patch, serveAgent } from '../src/reference/index.js';
import { createHttpCarrier } from '../src/wire/http.js';
import { bodyText, type Carrier, type Clock, realClock, virtualClock } from '../src/wire/index.js';
import { rules } from '../suites/index.js';

// Many copies of one request at once: the agent accepts one of them, and the kit sees it when an agent accepts more.

const copies = 50;
const rounds = 20;
const agentUrl = 'http://agent.test';
const chainUrl = 'http://chain.test';
const dialect = (id: 'xpr' | 'xpr-v2'): Dialect => dialectById(id) ?? expect.fail(`no dialect ${id}`);

/** An agent on a chain of its own, and the digest that it verifies. */
async function settle(spoken: Dialect, clock: Clock, patches: readonly Patch[] = []) {
  const chain = createChain({ clock });
  const control = await residents(chain.control);
  const scheme: Scheme =
    spoken.id === 'xpr-v2' ? { lines: 5, audience: 'tckagent', chainId: await control.chainId() } : { lines: 3 };
  const at = { url: chainUrl, carrier: chain.handle };
  const make = (baseUrl: string) =>
    createAgent({ dialect: spoken, clock, baseUrl, patches, part: xprAgent(spoken, { chain: at }) });
  return { make, scheme };
}

/** How many of the copies of one new request the agent accepted. */
async function letIn(carrier: Carrier, base: string, clock: Clock, scheme: Scheme, id: string): Promise<number> {
  const call = { jsonrpc: '2.0', id, method: 'tasks/get', params: { id: 'unknown' } };
  const body = new TextEncoder().encode(JSON.stringify(call));
  const timestamp = String(Math.floor(clock.now() / 1000));
  const signed = signedHeaders({ account: 'alice', key: residentKey('alice'), scheme, timestamp, body });
  const request = {
    method: 'POST',
    url: `${base}/a2a`,
    headers: [['content-type', 'application/json'] as const, ...signed],
    body,
  };
  async function send(): Promise<number> {
    const response = await carrier(request, new AbortController().signal);
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const answer = JSON.parse(bodyText(Buffer.concat(chunks))) as { error?: { code?: number } };
    return answer.error?.code ?? 0;
  }
  const codes = await Promise.all(Array.from({ length: copies }, send));
  // The agent refuses every other copy, for what it is.
  expect(codes.filter((code) => code !== -32001 && code !== -32000)).toEqual([]);
  return codes.filter((code) => code === -32001).length;
}

describe.each(['xpr', 'xpr-v2'] as const)('%s', (id) => {
  test('of many copies at once the agent accepts one, each time', async () => {
    for (let round = 0; round < rounds; round++) {
      const clock = virtualClock();
      const { make, scheme } = await settle(dialect(id), clock);
      const agent = make(agentUrl);
      const carrier: Carrier = (request, signal) => agent.handle(request, signal);
      expect(await letIn(carrier, agentUrl, clock, scheme, `r${round}`)).toBe(1);
      agent.stop();
    }
  });

  test('over sockets as well', async () => {
    const { make, scheme } = await settle(dialect(id), realClock);
    const agents: ReturnType<typeof make>[] = [];
    const served = await serveAgent((url) => {
      const agent = make(url);
      agents.push(agent);
      return (request, signal) => agent.handle(request, signal);
    });
    const carrier = createHttpCarrier();
    try {
      // Each round counts once for the limit of twenty a minute: copies cost nothing.
      for (let round = 0; round < rounds; round++) {
        expect(await letIn(carrier, served.url, realClock, scheme, `s${round}`)).toBe(1);
      }
    } finally {
      await carrier.close();
      await served.close();
      for (const agent of agents) agent.stop();
    }
  });

  test.each(['xpr-store-awaits', 'xpr-store-awaits-nothing'])('%s is caught each time', async (name) => {
    const fault = faults.find((fault) => fault.id === name) ?? expect.fail(`no fault ${name}`);
    const chosen = rules.filter((rule) => rule.id === 'xpr/replay-parallel');
    for (let round = 0; round < rounds; round++) {
      const clock = virtualClock();
      const { make, scheme } = await settle(dialect(id), clock, [fault.patch]);
      const agent = make(agentUrl);
      const carrier: Carrier = (request, signal) => agent.handle(request, signal);
      expect(await letIn(carrier, agentUrl, clock, scheme, `f${round}`)).toBeGreaterThan(1);
      agent.stop();
      const proof = await prove({ dialect: dialect(id), rules: chosen, faults: [fault], variants: [], impostors: [] });
      expect(proof.faults).toMatchObject([{ id: name, kills: ['xpr/replay-parallel'] }]);
      expect(proof.clean.pass).toEqual(['xpr/replay-parallel']);
    }
  });
});
