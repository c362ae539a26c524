import { cast, serve } from '../../src/cli/reference-agent.js';
import { dialectById } from '../../src/dialect/index.js';
import type { Peer } from './express-server.js';

/** What `a2a-tck serve --variant streaming-and-push` puts on a port. */
export async function startStreamingReference(profile: string): Promise<Peer> {
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error(`no dialect ${profile}`);
  const agent = cast(dialect, { variant: 'streaming-and-push' });
  const served = await serve(agent.resident, {});
  return {
    url: served.url,
    async close() {
      agent.stop();
      await served.close();
    },
  };
}
