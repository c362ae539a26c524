import {
  brief,
  callableUrl,
  canParseUrl,
  describe,
  type Exchange,
  evidence,
  type Interface,
  inconclusive,
  isObject,
  type Judgement,
  type Outcome,
  refused,
  repliesOf,
  type Scene,
  unseen,
  withoutSlashes,
} from '../../src/kit/index.js';

// Finds out what answers at the URL of an interface. The kit reads a task that cannot exist, so that nothing is
// created.

/** The kit can call this transport. Interfaces of other transports are left out of judgements about all interfaces. */
export const isSpoken = ({ transport }: Interface): boolean => transport === 'JSONRPC' || transport === 'HTTP+JSON';

const sameUrl = (a: string, b: string): boolean =>
  canParseUrl(a) && canParseUrl(b) && new URL(a).href === new URL(b).href;

/** Why a URL is not called: the kit calls only origins that the user gave or allowed. */
function closed({ target }: Scene, url: string): Judgement {
  if (!canParseUrl(url)) return inconclusive(`${brief(url)} is no URL`);
  const { origin, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return inconclusive(`${brief(url)} is no http URL`);
  return inconclusive(
    `the card names ${origin}, and ${target.origins[0]} was given: allow it with --allow-origin, or correct the card`,
  );
}

/** Whether the transport of an interface answers at its URL. */
export async function answersAt(scene: Scene, at: Interface): Promise<Judgement> {
  if (!isSpoken(at)) return inconclusive(`the kit does not speak ${brief(at.transport)}`);
  const url = callableUrl(scene.target, at.url);
  if (url === undefined) return closed(scene, at.url);
  return at.transport === 'JSONRPC' ? rpcAnswers(scene, url) : restAnswers(scene, url);
}

/** A busy, slow, guarded or redirecting answer does not show whether the transport answers. */
function undecided(exchange: Exchange): Judgement {
  const status = exchange.response?.status ?? 0;
  if (status >= 300 && status < 400)
    return inconclusive(`HTTP ${status} sends clients to another URL, which is not followed`);
  if (status === 401 || status === 403) return inconclusive(`credentials are needed (HTTP ${status})`);
  return unseen(exchange, 'no answer');
}

/** 0.3 §3.2.1. A JSON-RPC error is an answer, like a result. */
async function rpcAnswers(scene: Scene, url: string): Promise<Judgement> {
  const { client, target } = scene;
  const params = { id: scene.uuid() };
  const spelled = client.dialect.operations.get;
  const id = `tck-${scene.uuid()}`;
  const outcome: Outcome<unknown> = sameUrl(url, target.endpoint)
    ? await client.call('get', params)
    : await client.rpc({ jsonrpc: '2.0', id, method: spelled.rpc, params: spelled.params.encode(params) }, { id, url });
  // A JSON-RPC error that asks for credentials is also an answer in JSON-RPC.
  if (outcome.kind === 'denied' && outcome.message !== undefined) return undefined;
  if (outcome.kind === 'not-sent' || outcome.kind === 'denied' || outcome.kind === 'busy') return refused(outcome);
  const open = undecided(outcome.exchange);
  if (open !== undefined) return open;
  const reply = repliesOf(outcome.exchange)[0];
  const speaks = reply?.type === 'json' && isObject(reply.value) && reply.value['jsonrpc'] === '2.0';
  const settled = outcome.kind === 'result' || (outcome.kind === 'invalid-response' && outcome.fault === 'unreadable');
  if (speaks && (settled || (outcome.kind === 'refusal' && outcome.inForm))) return undefined;
  return `no JSON-RPC at ${url}: ${describe(outcome)}`;
}

/**
 * 0.3 §3.2.3: JSON of any shape (AMB03-15), with or without `/v1`. A JSON error that does not mention a task may come
 * from the web framework, so it shows nothing.
 */
async function restAnswers(scene: Scene, url: string): Promise<Judgement> {
  const base = withoutSlashes(url).replace(/\/v1$/, '');
  const id = scene.uuid();
  let unclear: Judgement;
  let last = '';
  for (const path of ['/v1/tasks/', '/tasks/']) {
    const exchange = await scene.client.get(`${base}${path}${id}`, scene.client.dialect.headers);
    const open = undecided(exchange);
    if (open !== undefined) return open;
    const reply = repliesOf(exchange)[0];
    if (reply?.type === 'json' && isObject(reply.value)) {
      if (/task|-32001|NOT_FOUND/i.test(reply.text.slice(0, 2000))) return undefined;
      unclear ??= inconclusive(`it is not clear what answers at ${exchange.request.url}: ${evidence(exchange)}`);
    }
    last ||= `${exchange.request.url}: ${evidence(exchange)}`;
  }
  return unclear ?? `no HTTP+JSON at ${url}; ${last}`;
}
