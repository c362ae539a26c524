import { canParseUrl, TckError } from '../model/index.js';
import { isHere as isPlaceHere, type Network, type OpenWebhooks, placeOf } from '../wire/index.js';

export interface WebhookTarget {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Where the agent reaches it; left out: at host and port. */
  readonly url?: string;
}

type Server = (options: { host: string; port: number; publicUrl?: string }) => OpenWebhooks;

/** Opens webhooks for an agent at this URL; a text says why that is not possible. */
export function webhooksFor(
  agentUrl: string,
  target: WebhookTarget | undefined,
  server: Server,
  network: Network = {},
): OpenWebhooks | string {
  const isHere = canParseUrl(agentUrl) && isPlaceHere(placeOf(new URL(agentUrl)), network);
  if (target === undefined && !isHere) {
    return 'the agent is not on this machine, so it does not reach the kit: give --webhook and --webhook-url';
  }
  const { host = '127.0.0.1', port = 0, url } = target ?? {};
  const open = server({ host, port, ...(url === undefined ? {} : { publicUrl: url }) });
  return async (serve) => {
    try {
      return await open(serve);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new TckError('usage', `cannot listen on --webhook ${host}:${port}: ${why}`, 'port 0 takes a free one');
    }
  };
}
