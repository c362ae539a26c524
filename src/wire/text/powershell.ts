import type { Exchange } from '../exchange/exchange.js';
import { plainArguments, socketOf } from './curl.js';
import { exactText, isPrintable } from './text.js';

/** PowerShell takes four more characters for a single quote. Two of them stand for one. */
const literal = (text: string): string => `'${text.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;

const base64 = (bytes: Uint8Array): string => literal(Buffer.from(bytes).toString('base64'));

/**
 * Windows PowerShell 5 and PowerShell 7 hand double quotes and a backslash at the end to a program in different ways, and
 * programs read letters beyond ASCII in the code page of the machine. Such texts travel in a file.
 */
const isPlain = (text: string): boolean => /^[ -~]+$/.test(text) && !text.includes('"') && !text.endsWith('\\');

/** A word of the command line. It is plain. */
const word = (text: string): string => (/^-{0,2}[a-zA-Z][\w-]*$/.test(text) ? text : literal(text));

/** Statements that write a file of its own for the variable. */
function file(variable: string, content: Uint8Array): string {
  const text = exactText(content);
  const write =
    text !== undefined && isPrintable(text)
      ? `[IO.File]::WriteAllText($${variable}, ${literal(text)})`
      : `[IO.File]::WriteAllBytes($${variable}, [Convert]::FromBase64String(${base64(content)}))`;
  return `$${variable} = [IO.Path]::GetTempFileName(); ${write}; `;
}

/** Statements that send the same bytes over a raw socket. */
function rawStatements(request: Exchange['request']): string {
  const { host, port, isTls } = socketOf(request);
  const tls = `$s = [Net.Security.SslStream]::new($s); $s.AuthenticateAsClient(${literal(host)}); `;
  return [
    `$s = [Net.Sockets.TcpClient]::new(${literal(host)}, ${port}).GetStream(); ${isTls ? tls : ''}`,
    `$b = [Convert]::FromBase64String(${base64(request.body ?? new Uint8Array(0))}); `,
    '$s.Write($b, 0, $b.Length); [IO.StreamReader]::new($s).ReadToEnd()',
  ].join('');
}

/**
 * One line for PowerShell 5 or later on Windows that sends the request of an exchange again, by `curl.exe`. Pass a redacted
 * exchange: everything in it appears in the line.
 */
export function powershellOf({ request }: Pick<Exchange, 'request'>): string {
  const { method, url, body } = request;
  if (method === 'RAW') return rawStatements(request);
  const bytes = (text: string) => new TextEncoder().encode(text);
  const words: string[] = [];
  const inFile: string[] = [];
  const given = plainArguments(request);
  for (const [at, text] of given.entries()) {
    if (text === '-H' && !isPlain(given[at + 1] ?? '')) continue;
    if (given[at - 1] === '-H' && !isPlain(text)) inFile.push(text);
    else words.push(word(text));
  }
  const before = [
    ...(inFile.length === 0 ? [] : [file('h', bytes(inFile.join('\n')))]),
    ...(body === undefined ? [] : [file('b', body)]),
    ...(isPlain(url) ? [] : [file('u', bytes(`url = "${url.replaceAll(/["\\]/g, '\\$&')}"`))]),
  ];
  return [
    `${before.join('')}curl.exe`,
    ...words,
    ...(inFile.length === 0 ? [] : ['-H "@$h"']),
    ...(body === undefined ? [] : ['--data-binary "@$b"']),
    isPlain(url) ? literal(url) : '-K "$u"',
  ].join(' ');
}
