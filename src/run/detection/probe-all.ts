import { type Dialect, withoutVersionInPaths } from '../../dialect/index.js';
import { firstOfEach } from '../../model/index.js';
import { type Exchange, excerpt } from '../../wire/index.js';
import type { Endpoint } from './endpoints.js';
import type { Probe, ProbeOptions, Understood } from './probe.js';
import { describeRedirect, probeFollowing, type Redirect } from './redirects.js';

/** What a probe of one endpoint in one dialect gave. */
export interface Answer {
  readonly dialect: Dialect;
  readonly endpoint: Endpoint;
  readonly probe: Probe;
  readonly redirect: Redirect | undefined;
}

/** Where to probe. */
export interface ProbeAllOptions extends ProbeOptions {
  /** Those that may be called. */
  readonly origins: readonly string[];
  /** The endpoints at which a dialect may be spoken, the likeliest first. */
  readonly endpoints: (dialect: Dialect) => readonly Endpoint[];
  /** Each answer adds a line. */
  readonly evidence: string[];
}

const weight: readonly Understood[] = ['no', 'other', 'answered', 'denied', 'spoken'];
const better = (best: Answer | undefined, other: Answer): Answer =>
  best !== undefined && weight.indexOf(best.probe.understood) >= weight.indexOf(other.probe.understood) ? best : other;

/** The same text for dialects whose probe is the same request: the probe cannot tell them apart. */
export const spellingOf = ({ binding, headers, operations: { get } }: Dialect): string =>
  JSON.stringify([binding.id, binding.nameOf(get), get.params.encode({ id: '' }), headers]);

/** "POST http://…", "GET http://…": the request of a probe. */
const asked = ({ request }: Exchange): string => `${request.method} ${excerpt(request.url, 300)}`;

/** Probes over one binding after the other until the agent answers in one of them; returns the best answer. */
export async function probeAll(options: ProbeAllOptions, ranked: readonly Dialect[]): Promise<Answer | undefined> {
  let best: Answer | undefined;
  for (const binding of new Set(ranked.map((dialect) => dialect.binding.id))) {
    const own = ranked
      .filter((dialect) => dialect.binding.id === binding)
      // The paths of 0.3 begin with /v1, which some agents have in their base, and some have nowhere (AMB03-40).
      .flatMap((dialect) => [dialect, withoutVersionInPaths(dialect)])
      .filter((spelling) => spelling !== undefined);
    await own[0]?.binding.load?.();
    const answer = await probeOver(options, own);
    if (answer !== undefined) best = better(best, answer);
    if (best !== undefined && best.probe.understood !== 'no') return best;
  }
  return best;
}

/** Probes each endpoint in each dialect until one is understood or credentials are needed; returns the best answer. */
async function probeOver(options: ProbeAllOptions, ranked: readonly Dialect[]): Promise<Answer | undefined> {
  const { endpoints, origins, evidence } = options;
  const spellings = firstOfEach(ranked, spellingOf);
  let best: Answer | undefined;
  for (const endpoint of firstOfEach(spellings.flatMap(endpoints), ({ url }) => url)) {
    for (const dialect of spellings) {
      const { probe, redirect, endpoint: url } = await probeFollowing(options, endpoint.url, dialect, origins);
      const { understood, seen, exchange } = probe;
      if (redirect !== undefined) evidence.push(`${asked(redirect.exchange)}: ${describeRedirect(redirect)}`);
      evidence.push(`${asked(exchange)}: ${seen}`);
      best = better(best, { dialect, endpoint: { ...endpoint, url }, probe, redirect });
      if (understood === 'spoken' || understood === 'denied') return best;
      // Without JSON-RPC no other dialect of it is spoken there; over HTTP+JSON other paths may be there.
      if (understood === 'no' && dialect.binding.hasEnvelope) break;
    }
    // The binding was found here. The next endpoint is tried only if several dialects were probed and none was known.
    const answer = best?.probe.understood;
    if (answer === 'answered' || (answer === 'other' && spellings.length === 1)) return best;
  }
  return best;
}
