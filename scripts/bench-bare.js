// A bare loop of the HTTP client that the kit uses: it sends the requests of a recorded run to the same agent, reads the
// answers, and does nothing else. No run of the kit can take less.
// biome-ignore lint/style/noRestrictedImports: it is what the kit is compared with
import { Agent, request } from 'undici';

/** What the client writes itself, and what belongs to one connection. */
const own = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'te', 'expect', 'upgrade']);
/** Requests that took longer waited for time, and would do so again, ms. */
const promptMs = 1000;

/** The requests of a JSON report that a client can send, and that were answered at once. */
export const sendable = ({ exchanges }) =>
  exchanges.filter(
    ({ request: { method, http2, bodyCut, headersCut }, response, error, toWebhook, durationMs }) =>
      /^[A-Z]+$/.test(method) &&
      method !== 'RAW' &&
      [http2, bodyCut, headersCut, toWebhook, error].every((item) => item === undefined) &&
      response !== undefined &&
      durationMs < promptMs,
  );

/** Sends them to the agent at `url`, so many at once. Returns milliseconds, and those of the processor. */
export async function bareLoop(exchanges, url, atOnce = 8) {
  const { origin } = new URL(url);
  const script = exchanges.map(({ request: { method, url: at, headers, body, bodyEncoding } }) => {
    const { pathname, search } = new URL(at);
    return {
      url: `${origin}${pathname}${search}`,
      method,
      headers: headers.filter(([name]) => !own.has(name.toLowerCase())).flat(),
      body: body === undefined ? null : Buffer.from(body, bodyEncoding ?? 'utf8'),
    };
  });
  const dispatcher = new Agent({ connections: atOnce, pipelining: 1, headersTimeout: promptMs, bodyTimeout: promptMs });
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  let next = 0;
  async function lane() {
    for (let item = script[next++]; item !== undefined; item = script[next++]) {
      try {
        const { url: at, ...rest } = item;
        const { body } = await request(at, { dispatcher, ...rest });
        JSON.parse(await body.text());
      } catch {
        // Refusals and streams are not JSON documents, and some requests are wrong by intention.
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane));
  const { user, system } = process.cpuUsage(cpu);
  const wallMs = performance.now() - started;
  await dispatcher.destroy();
  return { requests: script.length, wallMs, cpuMs: (user + system) / 1000 };
}
