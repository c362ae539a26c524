import { faults } from '../../fixtures/faults/index.js';
import { dialects } from '../../src/dialect/index.js';
import { createAgent, memoryArchive, serveAgent } from '../../src/reference/index.js';
import { realClock } from '../../src/wire/index.js';

/** Stands for the agent of a reader of the examples: the reference agent on a free port. */
export async function startAgent(fault?: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const [dialect] = dialects;
  if (dialect === undefined) throw new Error('no dialect');
  const patches = faults.filter(({ id }) => id === fault).map(({ patch }) => patch);
  const stops: (() => void)[] = [];
  const served = await serveAgent((baseUrl) => {
    const agent = createAgent({ dialect, clock: realClock, baseUrl, patches, archive: memoryArchive() });
    stops.push(() => agent.stop());
    return (request, signal) => agent.handle(request, signal);
  }, {});
  return {
    url: served.url,
    stop: async () => {
      for (const stop of stops) stop();
      await served.close();
    },
  };
}
