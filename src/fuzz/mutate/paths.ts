import type { Value, WireMutation } from '../case/case.js';
import {
  always,
  countOf,
  type Frame,
  head,
  type Outgoing,
  open,
  textOf,
  tokenOf,
  type WireMutationKind,
  withoutControls,
} from './wire-mutation.js';

// Wire mutations with what names an operation over HTTP+JSON: the path, the query and the verb (A2A 1.0 §11.3, §11.5,
// RFC 3986). How an agent answers them is open (AMB10-60): it must only answer, and do nothing else than it was asked.

/** What can stand in a request line: no space, no control character, no fragment. */
const inLine = (text: string): string => text.replaceAll(/[^\x21-\x7e]|#/g, '');
const inPath = (text: string): string => inLine(text).replaceAll('?', '');

/** A literal URL in pieces: the kit resolves and normalises nothing. */
function piecesOf(url: string): {
  readonly origin: string;
  readonly segments: readonly string[];
  readonly query: string;
} {
  const from = url.indexOf('/', url.indexOf('://') + 3);
  const [origin, rest] = from < 0 ? [url, '/'] : [url.slice(0, from), url.slice(from)];
  const mark = rest.indexOf('?');
  const [path, query] = mark < 0 ? [rest, ''] : [rest.slice(0, mark), rest.slice(mark)];
  return { origin, segments: path.split('/').slice(1), query };
}

const withSegments = (out: Outgoing, change: (segments: readonly string[]) => readonly string[]): Outgoing => {
  const { origin, segments, query } = piecesOf(out.url);
  return { ...out, url: `${origin}/${change(segments).join('/')}${query}`, asIs: true };
};

/** Where a text goes: around a segment, behind the id in it, in its place, or as a segment of its own before it. */
const puts = ['before', 'after', 'id', 'instead', 'segment'] as const;
type Put = (typeof puts)[number];

function withText(segment: string, put: Put, text: string): readonly string[] {
  // `:cancel` ends the segment, and does not belong to the id.
  const end = segment.lastIndexOf(':') < 0 ? segment.length : segment.lastIndexOf(':');
  switch (put) {
    case 'before':
      return [text + segment];
    case 'after':
      return [segment + text];
    case 'id':
      return [segment.slice(0, end) + text + segment.slice(end)];
    case 'instead':
      return [text + segment.slice(end)];
    case 'segment':
      return [text, segment];
  }
}

const behindIds = [
  '%00',
  '%2500',
  '%2F',
  '%2f',
  '%252F',
  '%2F..%2F',
  '%5C..%5C',
  '%zz',
  '%',
  '%2',
  '%c0%af',
  '%ff',
  '%e2%82',
  '%ED%A0%80',
  '%u0041',
  '%20',
  '+',
  '%2B',
  '%3A',
  '%3Acancel',
  ':',
  '::',
  ':cancel',
  ':no-such-verb',
  ';a=b',
  '%0D%0AX-Tck:%201',
  '%0a',
  '%1b%5b2J',
  '%EF%BB%BF',
  '%F0%9F%99%82',
  '"',
  "'",
  '<script>',
  '{}',
  '[0]',
  '|',
  '$',
  '*',
  '.json',
];
const wholeIds = [
  '%00',
  '..',
  '.',
  '%2e%2e',
  '%2E',
  '%2F',
  '%',
  '*',
  '0',
  'null',
  '__proto__',
  'constructor',
  '%20',
  ':',
];
const segments = ['', '..', '.', '%2e%2e', '%2E%2E', 'x/..', '..%2F..', '%2F', '%00', '..;', ';a=b', '*', 'tck'];
const ends = ['/', '//', '/.', '/..', '/%2e%2e', '/%00', '/tck', ';a=b', '.json', '/..%2f', '%23', '%3Fa=b'];

/** Parameters of the lists and readings, in every form that clients and frameworks know. */
const values = [
  '1',
  '',
  '%',
  '%zz',
  '%00',
  '%ff',
  '+',
  '%2B1',
  '1e3',
  '0x10',
  '1.0',
  '-0',
  '-1',
  '9'.repeat(20),
  '9'.repeat(400),
  'null',
  'NaN',
  'true',
  'TRUE',
  '%EF%BC%91',
  '1,2',
  '%5B1%5D',
  '%7B%7D',
  'a%0Ab',
  "'",
  '..%2F',
];
const names = [
  'historyLength',
  'pageSize',
  'pageToken',
  'contextId',
  'status',
  'statusTimestampAfter',
  'includeArtifacts',
  'tenant',
  'id',
];
/** `*` is the name of a parameter, `=` its value. */
const forms = [
  '*=V',
  '*=V&*=V',
  '*=V&*=W',
  '*=',
  '*',
  '*[]=V',
  '*[0]=V',
  '*[a]=V',
  '*.a=V',
  '**=V',
  '%2A=V',
  ' *=V',
  '*;=V',
  '*=V;a=b',
  '*=V&',
  '&&*=V',
  '*==V',
  'U=V',
  'S=V',
];
const wholes = [
  '&&&',
  '=',
  '?',
  ';',
  '%26',
  '%',
  '%zz',
  '%ff=%fe',
  '__proto__[a]=1',
  '__proto__=1',
  'constructor=1',
  'a[b][c][d]=1',
  '_method=DELETE',
  'A2A-Version=9.9',
  'a=b=c',
  'toString=1',
];
const longs = [
  { text: 'a=1&', times: 1000 },
  { text: 'historyLength=1&', times: 300 },
  { text: 'a', times: 4000 },
  { text: 'pageToken=a&', times: 200 },
  { text: '[', times: 500 },
];

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const verbs = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'PROPFIND',
  'M-SEARCH',
  'get',
  'Delete',
  'TCK',
];
const overrides = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'x-http-method-override'];
const types = [
  'application/a2a+json',
  'application/a2a+json; charset=utf-8',
  'application/json;charset="utf-8"; version=1',
  'application/json; charset=utf-8; charset=latin1',
  'application/json; charset=',
  'application/vnd.api+json',
  'application/problem+json',
  'application/merge-patch+json',
  'application/grpc',
  'application/x-protobuf',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'text/json',
  'a/b/c',
  `application/json; a=${'b'.repeat(500)}`,
];
const bodies = ['{}', '{"id":"tck-other"}', '[]', 'null', '{', 'x'];

/** What is repeated to an empty text repeats nothing. */
const repeated = (trick: WireMutation): string => textOf(trick, 'text').repeat(countOf(trick, 'times', 1, 20_000));

export const pathMutations = {
  path: {
    demand: open,
    needs: 'paths',
    astray: always,
    make: ({ randomSource }): Readonly<Record<string, Value>> => {
      const roll = randomSource.below(100);
      if (roll < 50) return { from: 1, put: 'id', text: randomSource.pick(behindIds), times: 1 };
      if (roll < 62) return { from: 1, put: 'instead', text: randomSource.pick(wholeIds), times: 1 };
      if (roll < 80)
        return { from: 1 + randomSource.below(2), put: 'segment', text: randomSource.pick(segments), times: 1 };
      if (roll < 92) return { from: 1, put: 'after', text: randomSource.pick(ends), times: 1 };
      return {
        from: 1,
        put: 'id',
        text: randomSource.pick(['a', '%61', '%00', '/', '/..', '..%2F', ':a']),
        times: randomSource.pick([20, 200, 1500]),
      };
    },
    grown: (trick, size) => size + textOf(trick, 'text').length * countOf(trick, 'times', 1, 20_000),
    http: (trick, out) =>
      withSegments(out, (all) => {
        const at = all.length - Math.max(1, Math.min(countOf(trick, 'from', 1), all.length));
        const put = puts.find((put) => put === textOf(trick, 'put')) ?? 'id';
        return all.flatMap((segment, index) =>
          index === at ? withText(segment, put, inPath(repeated(trick))) : [segment],
        );
      }),
  },
  // RFC 3986 §6.2.2: letters may be percent-encoded; what else may differ is open.
  'path-spelling': {
    demand: open,
    needs: 'paths',
    astray: always,
    make: ({ randomSource }) => ({
      how: randomSource.pick(['letters', 'letters', 'colon', 'percent', 'upper', 'slashes', 'names']),
    }),
    http: (trick, out) =>
      withSegments(out, (all) =>
        all.map((segment, at) => respelled(segment, textOf(trick, 'how'), at === all.length - 1)),
      ),
  },
  parameters: {
    demand: open,
    needs: 'paths',
    astray: always,
    make: ({ randomSource }): Readonly<Record<string, Value>> => {
      const roll = randomSource.below(100);
      if (roll < 12) return { text: randomSource.pick(wholes), times: 1 };
      if (roll < 20) return randomSource.pick(longs);
      const name = randomSource.pick(names);
      const text = randomSource
        .pick(forms)
        .replaceAll('*', name)
        .replaceAll('V', randomSource.pick(values))
        .replaceAll('W', randomSource.pick(values))
        .replaceAll('U', name.toUpperCase())
        .replaceAll('S', snake(name));
      return { text, times: 1 };
    },
    grown: (trick, size) => size + textOf(trick, 'text').length * countOf(trick, 'times', 1, 20_000),
    http: (trick, out) => ({
      ...out,
      url: `${out.url}${out.url.includes('?') ? '&' : '?'}${inLine(repeated(trick))}`,
      asIs: true,
    }),
  },
  verb: {
    demand: open,
    needs: 'paths',
    astray: always,
    make: ({ randomSource }) => ({ name: randomSource.pick(verbs), body: randomSource.chance(0.5) }),
    http: (trick, { contentType, body, ...out }) => {
      const name = tokenOf(textOf(trick, 'name', 'GET')).replaceAll(/[^A-Za-z-]/g, '') || 'GET';
      const isBare = trick['body'] !== true;
      return {
        ...out,
        // CONNECT would open a tunnel.
        method: name.toUpperCase() === 'CONNECT' ? 'GET' : name,
        contentType: isBare ? null : contentType,
        body: isBare ? new Uint8Array(0) : body,
      };
    },
  },
  override: {
    demand: open,
    needs: 'paths',
    astray: always,
    make: ({ randomSource }) => ({
      name: randomSource.pick(overrides),
      verb: randomSource.pick(['DELETE', 'DELETE', 'GET', 'PUT', 'PATCH', 'delete', 'TRACE', 'CONNECT', '', 'TCK']),
    }),
    http: (trick, out) =>
      head(out, tokenOf(textOf(trick, 'name', overrides[0])), withoutControls(textOf(trick, 'verb', 'DELETE'))),
  },
  'media-type': {
    demand: open,
    needs: 'paths',
    make: ({ randomSource }) => ({ type: randomSource.pick(types) }),
    http: (trick, out) => ({ ...out, contentType: withoutControls(textOf(trick, 'type', 'text/json')) }),
  },
  // RFC 9110 §9.3.1: a body has no meaning in a GET, and a server may refuse it.
  'unasked-body': {
    demand: open,
    needs: 'paths',
    astray: always,
    make: ({ randomSource }) => ({ text: randomSource.pick(bodies) }),
    http: (trick, out) =>
      out.body.length > 0
        ? out
        : { ...out, contentType: 'application/json', body: Buffer.from(textOf(trick, 'text', '{}')) },
  },
} as const satisfies Readonly<Record<string, WireMutationKind>>;

const encodedLetters = (text: string): string =>
  text.replaceAll(/[A-Za-z0-9-]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

function respelled(segment: string, how: string, isLast: boolean): string {
  switch (how) {
    case 'letters':
      return isLast ? encodedLetters(segment) : segment;
    case 'names':
      return isLast ? segment : encodedLetters(segment);
    case 'colon':
      return segment.replaceAll(':', '%3A');
    case 'percent':
      return segment.replaceAll('%', '%25');
    case 'upper':
      return segment.toUpperCase();
    default:
      return `/${segment}`;
  }
}

const isLength = (line: string): boolean => /^content-length:/i.test(line);

/** The same for the framing (RFC 9112 §6.3); the other wire mutations of frames serve all bindings. */
export const pathFrameMutations = {
  'no-length': {
    demand: open,
    needs: 'paths',
    make: () => ({}),
    frame: (_, frame: Frame): Frame => ({ ...frame, headers: frame.headers.filter((line) => !isLength(line)) }),
  },
  'zero-length': {
    demand: open,
    needs: 'paths',
    make: () => ({}),
    frame: (_, frame: Frame): Frame => ({
      ...frame,
      headers: frame.headers.map((line) => (isLength(line) ? 'Content-Length: 0' : line)),
    }),
  },
} as const satisfies Readonly<Record<string, WireMutationKind>>;
