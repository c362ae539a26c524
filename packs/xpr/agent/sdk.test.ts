import { A2AClient } from '@xpr-agents/sdk';
import { expect, test } from 'vitest';
import { dialectById } from '../../../src/dialect/index.js';
import { createAgent } from '../../../src/reference/agent.js';
import { serveAgent } from '../../../src/reference/node-port.js';
import { realClock } from '../../../src/wire/index.js';
import { wif } from '../signing/index.js';
import { createChain } from './chain/chain.js';
import { residentKey, residents } from './chain/residents.js';
import { known, refused } from './guest.js';
import { xprAgent } from './part.js';

test('the published client is served', async () => {
  const dialect = dialectById('xpr') ?? expect.fail('no dialect');
  const chain = createChain({ clock: realClock });
  await residents(chain.control);
  const node = { url: 'http://chain.test', carrier: chain.handle };
  const served = await serveAgent(
    (baseUrl) => createAgent({ dialect, clock: realClock, baseUrl, part: xprAgent(dialect, { chain: node }) }).handle,
  );
  try {
    const client = (callerAccount: string, signer = callerAccount) =>
      new A2AClient(served.url, { callerAccount, signingKey: wif(residentKey(signer)) });
    const [alice, bob] = [client('alice'), client('bob')];
    expect((await alice.getAgentCard())['xpr:account']).toBe('tckagent');
    const task = await alice.sendMessage({ role: 'user', parts: [{ type: 'text', text: 'tck-input-required' }] });
    expect((await alice.getTask(task.id)).status.state).toBe('input-required');
    await expect(bob.getTask(task.id)).rejects.toMatchObject({ code: known });
    const done = await alice.sendMessage(
      { role: 'user', parts: [{ type: 'text', text: 'Zoë' }] },
      { taskId: task.id, jobId: 42 },
    );
    expect(done).toMatchObject({ id: task.id, status: { state: 'completed' }, artifacts: [{ index: 0 }] });
    await expect(alice.cancelTask(task.id)).rejects.toMatchObject({ code: -32002 });
    await expect(client('alice', 'bob').getTask(task.id)).rejects.toMatchObject({ code: refused });
    await expect(client('carol').getTask(task.id)).rejects.toMatchObject({ code: refused });
    const unsigned = new A2AClient(served.url, { callerAccount: 'alice' });
    await expect(unsigned.getTask(task.id)).rejects.toMatchObject({ code: refused });
  } finally {
    await served.close();
  }
});
