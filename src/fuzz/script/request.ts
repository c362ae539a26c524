import { curlArguments, type Exchange, shellWord } from '../../wire/index.js';
import { type Callers, type Variable, variablesOf } from './credentials.js';
import { commandsFor, type Slot } from './output.js';

/** What a script is made with. */
export interface Spelling {
  readonly endpoint: string;
  readonly callers: Callers;
  /** Takes credentials out of the rest. */
  readonly redact: (exchange: Exchange) => Exchange;
}

export interface Command {
  /** Lines of shell. */
  readonly text: string;
  /** Environment variables that they need. */
  readonly variables: readonly string[];
}

/** A text in double quotes, with a variable in it. */
const doubled = (text: string): string => text.replace(/[\\"$`]/g, '\\$&');

const inVariable = ({ name, before }: Variable, ahead: string): string => `"${doubled(ahead + before)}$${name}"`;

/** The arguments of curl but for the URL: method, headers, body. */
function headerWords(exchange: Exchange, spelling: Spelling, used: Set<string>): readonly string[] {
  const { headers } = variablesOf(spelling.callers);
  const { request } = exchange;
  const known = request.headers.map(([, value]) => headers.find((one) => one.value === value));
  const open = spelling.redact({
    ...exchange,
    request: { ...request, headers: request.headers.filter((_, at) => !known[at]) },
  });
  const secret = request.headers.flatMap(([name], at) => {
    const variable = known[at];
    if (variable === undefined) return [];
    used.add(variable.name);
    return ['-H', inVariable(variable, `${name}: `)];
  });
  return [...curlArguments(open.request).map(shellWord), ...secret];
}

/** The URL below `$url`, the endpoint that the script was given. */
function urlWord(url: string, { endpoint, callers }: Spelling, used: Set<string>): string {
  if (!url.startsWith(endpoint)) return shellWord(url);
  let rest = doubled(url.slice(endpoint.length));
  for (const { name, value } of variablesOf(callers).parameters) {
    if (value === '' || !rest.includes(`=${value}`)) continue;
    used.add(name);
    rest = rest.replace(`=${value}`, `=$${name}`);
  }
  return `"$url${rest}"`;
}

const piped = (commands: readonly string[]): string =>
  commands.length === 1 ? `${commands[0]} |` : `{\n  ${commands.join('\n  ')}\n} |`;

/** Sends one request again. Its answer is named `name`; after `seconds` nothing is waited for any more. */
export function commandOf(
  exchange: Exchange,
  name: string,
  seconds: number,
  slots: readonly Slot[],
  spelling: Spelling,
): Command {
  const used = new Set<string>();
  const { request } = exchange;
  const body = spelling.redact(exchange).request.body ?? new Uint8Array();
  const input = commandsFor(body, slots);
  const variables = (text: string): Command => ({ text, variables: [...used] });
  if (request.method === 'RAW') return variables(`${piped(input)} tell ${name} ${Math.min(seconds, 4)}`);
  const words = headerWords(exchange, spelling, used);
  const url = urlWord(request.url, spelling, used);
  if (request.body === undefined) return variables(`ask ${name} ${seconds} ${[...words, url].join(' ')}`);
  return variables(
    `${piped(input.length === 0 ? [':'] : input)} ask ${name} ${seconds} ${[...words, url].join(' ')} --data-binary @-`,
  );
}
