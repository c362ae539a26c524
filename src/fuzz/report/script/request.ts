import type { Dialect } from '../../../dialect/index.js';
import { withoutEnds } from '../../../model/index.js';
import { curlArguments, type Exchange, shellWord } from '../../../wire/index.js';
import { type Callers, type Variable, variablesOf } from './credentials.js';
import { commandsFor, type Slot } from './output.js';

/** What a script is made with. */
export interface ScriptSettings {
  readonly dialect: Dialect;
  readonly endpoint: string;
  readonly callers: Callers;
  /** Removes credentials from the rest. */
  readonly redact: (exchange: Exchange) => Exchange;
}

/** One request as a shell sends it. */
export interface Command {
  /** Lines that write its body, or the whole request where it goes over a bare connection. */
  readonly input: readonly string[];
  /** The arguments of curl except for the body; undefined: curl cannot send it. */
  readonly words: string | undefined;
  /** Environment variables that it needs. */
  readonly variables: readonly string[];
}

/** What `$url` stands for: paths are put behind it, with a slash of their own. */
export const baseOf = ({ endpoint, dialect: { binding } }: Pick<ScriptSettings, 'endpoint' | 'dialect'>): string =>
  binding.requests === 'envelopes' ? endpoint : withoutEnds(endpoint, '/', { start: false });

/** A text in double quotes, with a variable in it. */
const doubled = (text: string): string => text.replace(/[\\"$`]/g, '\\$&');

const inVariable = ({ name, before }: Variable, ahead: string): string => `"${doubled(ahead + before)}$${name}"`;

/** The arguments of curl but for the URL: method, headers, body. */
function headerWords(exchange: Exchange, spelling: ScriptSettings, used: Set<string>): readonly string[] {
  const { headers } = variablesOf(spelling.callers);
  const { request } = exchange;
  const known = request.headers.map(([, value]) => headers.find((header) => header.value === value));
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

const unreserved = /^[\w.~-]+$/;

/** The text of double quotes with the values of slots in it, percent-encoded as they stand in a URL. */
const slotted = (text: string, slots: readonly Slot[]): string =>
  slots.reduce(
    (made, { value, variable }) =>
      made.replaceAll(
        doubled(encodeURIComponent(value)),
        () => `\${${unreserved.test(value) ? variable : `${variable}_url`}}`,
      ),
    text,
  );

/** The URL below `$url`, the endpoint that the script was given. */
function urlWord(url: string, spelling: ScriptSettings, slots: readonly Slot[], used: Set<string>): string {
  const { callers } = spelling;
  const base = baseOf(spelling);
  if (!url.startsWith(base)) return shellWord(url);
  let rest = slotted(doubled(url.slice(base.length)), slots);
  for (const { name, value } of variablesOf(callers).parameters) {
    if (value === '' || !rest.includes(`=${value}`)) continue;
    used.add(name);
    rest = rest.replace(`=${value}`, `=$${name}`);
  }
  return `"$url${rest}"`;
}

/** The command that sends one request again; values of slots come from their variables. */
export function commandOf(exchange: Exchange, slots: readonly Slot[], spelling: ScriptSettings): Command {
  const used = new Set<string>();
  const { request } = exchange;
  const body = spelling.redact(exchange).request.body ?? new Uint8Array();
  const input = request.body === undefined ? [] : commandsFor(body, slots);
  if (request.method === 'RAW') return { input, words: undefined, variables: [] };
  const before = headerWords(exchange, spelling, used);
  const url = urlWord(request.url, spelling, slots, used);
  const words = [...before, url].join(' ');
  const hasBody = request.body !== undefined;
  return { input: hasBody && input.length === 0 ? [':'] : input, words, variables: [...used] };
}
