import { type Dialect, dialectById } from '../src/dialect/index.js';
import { createAgent, type Patch, serveAgent } from '../src/reference/index.js';
import { type Carrier, realClock } from '../src/wire/index.js';

/** A reference agent on a free port. `between`: what stands before it. */
export async function servedAgent(
  profile: Dialect['id'],
  patches: readonly Patch[],
  between = (handle: Carrier): Carrier => handle,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error(`no dialect ${profile}`);
  const agents: { stop(): void }[] = [];
  const served = await serveAgent((baseUrl) => {
    const agent = createAgent({ dialect, clock: realClock, baseUrl, patches });
    agents.push(agent);
    return between((request, signal) => agent.handle(request, signal));
  }, {});
  return {
    url: served.url,
    stop: async () => {
      for (const agent of agents) agent.stop();
      await served.close();
    },
  };
}
