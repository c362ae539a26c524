import { canParseUrl, withoutEnds } from '../../model/index.js';
import { type Exchange, type Header, header } from '../exchange/exchange.js';
import { exactText, isPrintable } from './text.js';

/** curl and the connection set these themselves. */
const impliedHeaders = new Set(['content-length', 'connection', 'keep-alive', 'transfer-encoding']);

/** An argument of `printf` that prints these bytes in any POSIX shell. It is printable ASCII without quotes. */
export function printfFormat(bytes: Uint8Array): string {
  let format = '';
  let before = '';
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    // `##` or `::` could begin a command to a CI runner.
    const isSecond = character === before && (character === '#' || character === ':');
    if (character === '%') format += '%%';
    else if (/[ -~]/.test(character) && character !== "'" && character !== '\\' && !isSecond) format += character;
    else format += `\\${byte.toString(8).padStart(3, '0')}`;
    before = character;
  }
  // A leading dash would be an option.
  return format.startsWith('-') ? `\\055${format.slice(1)}` : format;
}

/** A text as one word of a POSIX shell. Control characters go through `printf`, because people paste the line. */
export function shellWord(text: string): string {
  if (text !== '' && /^[\w@%+=:,./-]+$/.test(text)) return text;
  if (isPrintable(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  // No argument can hold a NUL, and `$(…)` drops line feeds at the end; no header or URL that was sent has either.
  const format = printfFormat(new TextEncoder().encode(withoutEnds(text.replaceAll('\0', ''), '\n', { start: false })));
  return `"$(printf '${format}')"`;
}

/** curl's own spelling: `Name;` sends an empty header, `Name:` sends none. */
const headerArgument = ([name, value]: Header): string => (value === '' ? `${name};` : `${name}: ${value}`);

function headerArguments(request: Exchange['request']): readonly string[] {
  const { headers, body, url } = request;
  const host = canParseUrl(url) ? new URL(url).host : undefined;
  const needed = headers.filter(
    ([name, value]) => !impliedHeaders.has(name.toLowerCase()) && !(name.toLowerCase() === 'host' && value === host),
  );
  const list = needed.flatMap((header) => ['-H', headerArgument(header)]);
  // Otherwise curl adds a content type to a body by itself.
  if (body !== undefined && header(headers, 'content-type') === undefined) list.push('-H', 'Content-Type:');
  return list;
}

/** Without TLS nothing says that the server speaks HTTP/2: curl has to know. */
function versionArguments({ http2, url }: Exchange['request']): readonly string[] {
  if (http2 !== true) return [];
  return [url.startsWith('https:') ? '--http2' : '--http2-prior-knowledge'];
}

function methodArguments(request: Exchange['request']): readonly string[] {
  const { method, body } = request;
  const version = versionArguments(request);
  if (method === 'HEAD') return [...version, '--head'];
  return [...version, ...(method === (body === undefined ? 'GET' : 'POST') ? [] : ['-X', method])];
}

/** The arguments of curl for a request, without its URL and its body. */
export function curlArguments(request: Exchange['request']): readonly string[] {
  // With `Expect` curl would wait before a long body. The last two options send brackets and paths unchanged.
  const settled = header(request.headers, 'expect') === undefined ? ['-H', 'Expect:'] : [];
  return [...methodArguments(request), ...headerArguments(request), ...settled, '--globoff', '--path-as-is'];
}

/** Where the bytes of a raw request go; an IPv6 address without brackets. */
export function socketOf({ url }: Exchange['request']): { host: string; port: string; isTls: boolean } {
  const target = canParseUrl(url) ? new URL(url) : undefined;
  const isTls = target?.protocol === 'https:';
  return {
    host: target?.hostname.replace(/^\[|\]$/g, '') ?? '',
    port: target?.port || (isTls ? '443' : '80'),
    isTls,
  };
}

/** A command that sends the same bytes over a raw socket. */
function rawCommand(request: Exchange['request']): string {
  const { body } = request;
  const { host, port, isTls } = socketOf(request);
  const connect = isTls
    ? `openssl s_client -quiet -connect ${shellWord(`${host.includes(':') ? `[${host}]` : host}:${port}`)}`
    : `nc ${shellWord(host)} ${port}`;
  return `printf '${printfFormat(body ?? new Uint8Array(0))}' | ${connect}`;
}

/** The arguments of a line that people read: only what this request needs, without its URL and its body. */
export function plainArguments(request: Exchange['request']): readonly string[] {
  const { url } = request;
  return [
    ...['-sS', '-i', ...methodArguments(request), ...headerArguments(request)],
    // Brackets and braces are patterns to curl, and it would resolve `/../` before sending.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(url.includes('/.') ? ['--path-as-is'] : []),
  ];
}

/**
 * One line for a POSIX shell that sends the request of an exchange again. Pass a redacted exchange: everything in it
 * appears in the line.
 */
export function curlOf({ request }: Pick<Exchange, 'request'>): string {
  const { method, url, body } = request;
  if (method === 'RAW') return rawCommand(request);
  const args = ['curl', ...plainArguments(request)];
  const text = body === undefined ? undefined : exactText(body);
  let before = '';
  if (text !== undefined && isPrintable(text)) args.push('--data-raw', text);
  else if (body !== undefined) {
    args.push('--data-binary', '@-');
    before = `printf '${printfFormat(body)}' | `;
  }
  return before + [...args, url].map(shellWord).join(' ');
}
