import { bodyText, type Exchange } from '../../src/kit/index.js';

// What an answer says of the inside of an agent. No rules: index.ts does not collect this file.

const signs: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a stack trace', /(?:^|[\n>;])[ \t]*at [^\n]{0,200}?(?:[/\\]|\.[cm]?[jt]sx?|node:)[^\s()]{0,200}:\d+:\d+/],
  [
    'a stack trace',
    /Traceback \(most recent call last\)|\bgoroutine \d+ \[|\bpanicked at\b|\bat [\w$.]+\([\w$]+\.java:\d+\)/,
  ],
  ['a path of a file', /\bfile:\/\/\/[^\s"'<>]+/],
  [
    'a path of a file',
    /(?:^|[\s"'`(=:[])\/(?:home|usr|var|app|opt|root|srv|etc|tmp|Users|workspace)\/[\w@.-]+(?:\/[\w@.-]+)*/,
  ],
  ['a path of a file', /(?:^|[\s"'`(=[])[A-Za-z]:\\(?:[\w@. -]+\\)+[\w@.-]+/],
  ['a path of a file', /\bnode_modules\/[\w@.-]+/],
  ['the address of its chain', /[^\s"'<>]{0,200}\/v1\/chain\/\w+/],
  [
    'the address of its chain',
    /\b(?:connect )?(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH)\b[^"'<>\n]{0,80}/,
  ],
  ['an exception of its chain', /\beosio::|\bfc::|\bnodeos\b|\b\w+\.[ch]pp\b|\beosio_assert\b/],
  [
    'the name of a package',
    /@(?:proton|xpr-agents|noble|scure|greymass|wharfkit)\/[\w-]+|\b(?:eosjs|body-parser|raw-body|node-fetch|undici)\b/,
  ],
];

/** Text as it was before it went into JSON, so that lines are lines. */
const unescaped = (text: string): string =>
  text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, what: string) => {
    if (what === 'n') return '\n';
    if (what === 't') return '\t';
    if (what.length === 5) return String.fromCharCode(Number.parseInt(what.slice(1), 16));
    return what;
  });

/** Everything that the request said, as it was written and as it is meant: to repeat it discloses nothing. */
function sentText({ request }: Exchange): string {
  const text = [request.url, ...request.headers.flat(), bodyText(request.body)].join('\n');
  return `${text}\n${unescaped(text)}`;
}

/** Of each answer, bytes that are looked at. */
const mostText = 64 * 1024;

/** What the answer shows of the inside; undefined: nothing. What was sent does not count. */
export function innards(exchange: Exchange): string | undefined {
  const text = unescaped(bodyText(exchange.response?.body.subarray(0, mostText)));
  const sent = sentText(exchange);
  for (const [what, pattern] of signs) {
    const found = pattern.exec(text)?.[0].trim();
    if (found !== undefined && !sent.includes(found.replace(/^["'`(=:[]/, '')))
      return `${what}: ${found.slice(0, 120)}`;
  }
  return undefined;
}
