import {
  brief,
  callablePlace,
  canParseUrl,
  describe,
  type Exchange,
  evidence,
  grpcIn,
  type Interface,
  inconclusive,
  type Judgement,
  placeOf,
  refused,
  type Scene,
  tellsError,
  unseen,
} from '../../src/kit/index.js';

// Finds out what answers at the URL of an interface. The kit reads a task that cannot exist, so that nothing is
// created.

/** The kit can call this interface. Others are left out of judgements about all interfaces. */
export const isSpoken = ({ client }: Scene, { url, transport }: Interface): boolean =>
  client.at(url, transport) !== undefined;

const sameUrl = (a: string, b: string): boolean =>
  canParseUrl(a) && canParseUrl(b) && new URL(a).href === new URL(b).href;

/** Why a URL is not called: the kit calls only origins that the user gave or allowed. */
function closed({ target }: Scene, at: Interface): Judgement {
  const place = placeOf(at);
  if (place === undefined || !canParseUrl(place)) return inconclusive(`${brief(at.url)} is not a URL`);
  const { origin, protocol } = new URL(place);
  if (protocol !== 'http:' && protocol !== 'https:') return inconclusive(`${brief(at.url)} is not an http URL`);
  return inconclusive(`allow ${origin} with --allow-origin, or correct the card: --url is at ${target.origins[0]}`);
}

/** AMB10-43: `host:port` and `dns:///host:port` are addresses of gRPC with TLS or without. */
const leavesTlsOpen = (at: Interface): boolean =>
  placeOf(at) !== at.url && !/^(?:https?|grpcs?):\/\//i.test(at.url.trim());

/** A busy, slow, guarded or redirecting answer does not show whether the transport answers. */
function undecided(exchange: Exchange): Judgement {
  const status = exchange.response?.status ?? 0;
  if (status >= 300 && status < 400)
    return inconclusive(`the kit does not follow the redirect to another URL (HTTP ${status})`);
  if (status === 401 || status === 403) return inconclusive(`give credentials: the agent answered with HTTP ${status}`);
  return unseen(exchange, 'no answer');
}

/** Whether the transport of an interface answers at its URL (0.3 §3.2). */
export async function answersAt(scene: Scene, at: Interface): Promise<Judgement> {
  const url = callablePlace(scene.target, at);
  const { endpoint } = scene.target;
  const client = scene.client.at(
    url !== undefined && sameUrl(url, endpoint) ? endpoint : (url ?? at.url),
    at.transport,
    at.version,
  );
  if (client === undefined) return inconclusive(`the kit does not speak ${brief(at.transport)}`);
  if (url === undefined) return closed(scene, at);
  const first = await answers(client, scene.uuid());
  if (typeof first === 'string' && leavesTlsOpen(at))
    return inconclusive(`${brief(at.url)} does not say whether the server uses TLS: ${first}`);
  if (first === undefined || client.otherwise === undefined) return first;
  const second = await answers(client.otherwise, scene.uuid());
  // Where one way leaves it open, it is open.
  return second === undefined || typeof first === 'string' ? second : first;
}

/** An error is an answer, like a result. */
async function answers(client: Scene['client'], id: string): Promise<Judgement> {
  const outcome = await client.call('get', { id });
  // An error that asks for credentials is also an answer in the form of the binding.
  if (outcome.kind === 'denied' && outcome.message !== undefined) return undefined;
  if (outcome.kind === 'not-sent' || outcome.kind === 'denied' || outcome.kind === 'busy') return refused(outcome);
  const { exchange } = outcome;
  const open = undecided(exchange);
  if (open !== undefined) return open;
  // Any server may answer with an object, which says nothing about a task.
  const { binding } = client.dialect;
  if (outcome.kind === 'result' && outcome.value.id === '' && !binding.hasEnvelope)
    return `no ${binding.title} at ${exchange.request.url}: ${evidence(exchange)}`;
  const end = grpcIn(exchange)?.end;
  if (end !== undefined && end.code === undefined)
    return `no ${binding.title} at ${exchange.request.url}: ${describe(outcome)}`;
  if (outcome.kind === 'result' || (outcome.kind === 'invalid-response' && outcome.fault === 'unreadable'))
    return undefined;
  if (outcome.kind !== 'refusal' || !tellsError(outcome))
    return `no ${binding.title} at ${exchange.request.url}: ${describe(outcome)}`;
  // An error that does not say which one it is may come from the web framework, so it shows nothing.
  return outcome.fits === undefined
    ? undefined
    : inconclusive(
        `the answer at ${exchange.request.url} fits neither an agent nor its absence: ${evidence(exchange)}`,
      );
}
