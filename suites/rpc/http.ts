import {
  answered,
  check,
  type Exchange,
  evidence,
  inconclusive,
  law,
  NotApplicable,
  set,
} from '../../src/kit/index.js';
import { ask, plainCall, sameAs, telling } from './calls.js';
import { isJudged } from './responses.js';

// A2A 0.3 §3.2.1 JSON-RPC 2.0 Transport, §7 Protocol RPC Methods: 0.3 has no version header. 1.0
// §9.2: parameters in headers.

const under = (name: string, value: string) => ({ headers: [[name, value]] as const });

// In our words (1.0, 9.1 Protocol Requirements): POST with Content-Type application/json (with or without charset) is
//   accepted.
export const charset = check('rpc/charset', 'rpc.accepts-json-post')
  .given('plain', plainCall)
  .when('the client names the charset in the content type', (scene) =>
    ask(scene, under('content-type', 'application/json; charset=utf-8')),
  )
  .expects('answer as it does without', (outcome, { plain }) => sameAs(plain, outcome))
  .advice('Compare the media type only: parameters follow after a semicolon.');

// In our words (1.0, 9.1 Protocol Requirements): Other request content types may be refused or processed.
export const otherContentType = check('rpc/other-content-type', 'rpc.other-content-type')
  .when('the client sends a call as text/plain', (scene) =>
    ask(scene, { ...under('content-type', 'text/plain'), invalid: true }),
  )
  .expects('answer or refuse it', answered)
  .advice(
    'Answer 415, or read the body all the same: a parser that skips other types must not leave the call unanswered.',
  );

const unsent: ReadonlySet<string> = new Set(['budget', 'aborted', 'proxy']);

// In our words (1.0, 9.1 Protocol Requirements): A GET of the endpoint may be refused or show a page.
export const getEndpoint = check('rpc/get-endpoint', 'rpc.get-endpoint')
  .when('the client sends a GET to the endpoint', ({ client }) => client.get(client.endpoint))
  .expects('answer it without an error of its own', (exchange) => {
    const { response, failure } = exchange;
    // Response headers are an answer: some servers keep the body open as a stream.
    if (response === undefined)
      return unsent.has(failure?.kind ?? '') ? inconclusive('the kit did not send the request') : evidence(exchange);
    if (response.status === 503)
      return inconclusive('run again when the agent is less busy: it answered with HTTP 503');
    // RFC 9110 §15.6.2, §15.6.6: these two only say that the server does not support the request.
    return response.status < 500 || response.status === 501 || response.status === 505 ? undefined : evidence(exchange);
  })
  .advice('Answer 405, or a page: a body that is not there must not be parsed.');

const speaksOfVersion = /a2a[- _]?version|version header/i;

// In our words (0.3, 7 Protocol RPC Methods): A 0.3 agent does not require an A2A-Version header.
export const noVersionHeader = law(
  'rpc/no-version-header',
  'ver.header-not-required',
  'answer without asking for an A2A-Version header',
  {
    subject: 'the agent',
    otherwise: 'the agent answered no valid call',
    advice: 'The header came with 1.0: a 0.3 agent takes calls without it.',
  },
  (reading, target) => {
    const { outcome, valid, exchange } = reading;
    if (!isJudged(reading, target) || !valid) return 'not-concerned';
    if (exchange.request.headers.some(([name]) => name.toLowerCase() === 'a2a-version')) return 'not-concerned';
    if (outcome.kind === 'result') return 'holds';
    if (outcome.kind !== 'refusal') return 'not-concerned';
    return speaksOfVersion.test(outcome.message) ? `refused: ${outcome.message}` : 'holds';
  },
).mutants(
  set('error.message', 'the header A2A-Version is missing'),
  set('grpc-message', 'the header A2A-Version is missing'),
);

// In our words (1.0, 9.2 Service Parameter Transmission): Service parameters are read from HTTP headers, names
//   case-insensitive.
export const headerNames = check('rpc/header-names', 'rpc.header-names')
  .given('plain', plainCall)
  .when('the client sends header names in lower and upper case', async (scene) => {
    const { headers } = scene.client.dialect;
    const small = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
    const capital = headers.map(([name, value]) => [name.toUpperCase(), value] as const);
    const answers = [await ask(scene, { headers: small }), await ask(scene, { headers: capital })] as const;
    return telling(answers, (outcome) => sameAs(scene.plain, outcome));
  })
  .expects('answer as to the usual spelling', (outcome, { plain }) => sameAs(plain, outcome))
  .advice('Names of HTTP headers have no case (RFC 9110 §5.1).');

/** Extensions that an answer names as active. */
const namedIn = ({ response }: Exchange, names: readonly string[]): ReadonlySet<string> =>
  new Set(
    [...(response?.headers ?? []), ...(response?.trailers ?? [])]
      .filter(([name]) => names.some((extensionHeader) => extensionHeader.toLowerCase() === name.toLowerCase()))
      .flatMap(([, value]) => value.split(',').map((uri) => uri.trim())),
  );

// In our words (1.0, 9.2 Service Parameter Transmission): Comma-separated header values are understood as a list.
export const headerLists = check('rpc/header-lists', 'rpc.header-lists')
  .when('the client asks for two declared extensions in one header', async (scene) => {
    const uris = scene.card.capabilities.extensions.slice(0, 2).map(({ uri }) => uri);
    if (uris.length < 2) throw new NotApplicable('the card does not declare two extensions');
    const { extensionHeader } = scene.client.dialect;
    const both = await ask(scene, under(extensionHeader, uris.join(', ')));
    const single = await ask(scene, under(extensionHeader, uris[0] ?? ''));
    return { uris, both, single };
  })
  .expects('activate both', ({ uris, both, single }, { client }) => {
    if (both.kind === 'not-sent' || single.kind === 'not-sent')
      return inconclusive('the kit did not send the requests');
    const header = [client.dialect.extensionHeader];
    const alone = namedIn(single.exchange, header);
    const found = namedIn(both.exchange, header);
    // AMB10-28: only a guide says that answers name the active extensions.
    if (!alone.has(uris[0] ?? '')) return inconclusive('the answers of the agent do not name the active extensions');
    const lost = uris.find((uri) => !found.has(uri));
    return lost === undefined ? undefined : `asked for both, only ${[...found].join(', ') || 'none'} is active`;
  })
  .advice('Split the header at commas, trim, and look at every URI.');

// In our words (0.3, 7 Protocol RPC Methods): A 0.3 agent ignores an A2A-Version: 0.3 header.
export const versionHeader = check('rpc/version-header', 'ver.header-ignored')
  .given('plain', plainCall)
  .when('the client adds the header A2A-Version: 0.3', (scene) => ask(scene, under('A2A-Version', '0.3')))
  .expects('answer as it does without', (outcome, { plain }) => sameAs(plain, outcome))
  .advice('Ignore A2A-Version, which came with 1.0, or take your own version in it.');

// In our words (0.3, 7 Protocol RPC Methods): A 0.3 agent may ignore or refuse A2A-Version: 1.0.
export const otherVersionHeader = check('rpc/other-version-header', 'ver.other-header')
  .when('the client adds the header A2A-Version: 1.0', (scene) =>
    ask(scene, { ...under('A2A-Version', '1.0'), invalid: true }),
  )
  .expects('answer or refuse it', answered)
  .advice(
    'Ignore the header, or refuse the version with a JSON-RPC error: an unknown value must not cause an internal error.',
  );
