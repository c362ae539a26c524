import type { OpenPort } from '../clients/index.js';
import type { Carrier, WireRequest, WireResponse } from '../wire/index.js';
import { serve } from './reference-agent.js';

/** All scenarios on two ports, each below its name, and a page for people and programs at the root of the first. */
export interface ScenarioPorts {
  /** Without a slash at the end. */
  readonly url: string;
  readonly open: OpenPort;
  close(): Promise<void>;
}

const encoder = new TextEncoder();

/** An answer of the kit itself. */
export const plainAnswer = (status: number, type: string, text: string): WireResponse => ({
  status,
  headers: [['content-type', type]],
  body: (async function* () {
    yield encoder.encode(text);
  })(),
});

/** `root`: answers what is below no scenario. Throws `TckError('usage')` if the port is not available. */
export async function scenarioPorts(
  place: { readonly port?: number; readonly host?: string },
  root: (path: string, request: WireRequest) => WireResponse,
): Promise<ScenarioPorts> {
  const mounted = { agent: new Map<string, Carrier>(), elsewhere: new Map<string, Carrier>() };
  const port = (at: keyof typeof mounted, where: typeof place) =>
    serve(
      () => (request, signal) => {
        const { pathname } = new URL(request.url);
        const carrier = mounted[at].get(pathname.split('/')[1] ?? '');
        return carrier === undefined ? Promise.resolve(root(pathname, request)) : carrier(request, signal);
      },
      where,
    );
  const served = {
    agent: await port('agent', place),
    elsewhere: await port('elsewhere', place.host === undefined ? {} : { host: place.host }),
  };
  return {
    url: served.agent.url,
    open: async (scenario, at) => ({
      url: `${served[at].url}/${scenario}`,
      mount: (carrier) => void mounted[at].set(scenario, carrier),
      close: async () => void mounted[at].delete(scenario),
    }),
    async close() {
      await Promise.all([served.agent.close(), served.elsewhere.close()]);
    },
  };
}
