import { jsonText } from '../../../reporters/index.js';
import { readStdin, readWithin } from '../../files/index.js';
import type { BindingId } from '../../model/index.js';
import { TckError } from '../../model/tck-error.js';
import type { Called } from '../../run/index.js';
import { causeOf } from '../cause.js';
import { credentialHeaders, credentialQuery, oauthClient } from '../credentials.js';
import { deviceAsker } from '../device.js';
import { type NetworkGiven, readNetwork } from '../network.js';
import { checkUrl } from '../settings.js';
import type { Terminal } from '../terminal.js';

export interface CallArguments extends NetworkGiven {
  readonly url?: string;
  readonly profile?: string;
  readonly binding?: 'auto' | BindingId;
  readonly params?: string;
  readonly text?: string;
  readonly id?: string;
  readonly timeout?: number;
  readonly header?: readonly string[];
  readonly bearerEnv?: string;
  readonly oauthClientIdEnv?: string;
  readonly oauthClientSecretEnv?: string;
  readonly oauthScope?: string;
  readonly queryEnv?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly json?: boolean;
}

/** Most bytes of a file of params. */
const longestParams = 8 * 1024 * 1024;

/** The JSON of `--params`: the text itself, `@file`, or `-` for stdin. Throws `TckError('usage')`. */
async function readParams(text: string): Promise<unknown> {
  const isFile = text.startsWith('@');
  let source = text;
  if (isFile || text === '-') {
    try {
      const read = isFile ? readWithin(text.slice(1), longestParams) : await readStdin(longestParams);
      source = read.toString('utf8');
    } catch (error) {
      throw new TckError('usage', `--params ${text} cannot be read: ${causeOf(error)}`);
    }
  }
  if (source.length > longestParams) throw new TckError('usage', '--params is longer than 8 MiB');
  try {
    return JSON.parse(source) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TckError('usage', `--params is not JSON: ${why}`, `such as --params '{"id":"…"}', @file or - for stdin`);
  }
}

/** 0: a result came; 1: the agent refused; 3: nothing came; 4: what came cannot be read. */
function exitCodeOf({ outcome, exchange, problems }: Called): number {
  // A stream that the kit leaves is whole; one that breaks off is not.
  const isBroken = exchange.failure?.kind === 'reset' || exchange.failure?.kind === 'malformed';
  if (outcome.kind === 'result') return problems.length === 0 && !isBroken ? 0 : 4;
  if (outcome.kind === 'refusal' || outcome.kind === 'denied' || outcome.kind === 'busy') return 1;
  return exchange.response === undefined ? 3 : 4;
}

export async function callCommand(name: string, given: CallArguments, terminal: Terminal): Promise<number> {
  const { url, profile, binding, text, id, timeout, header = [], bearerEnv, queryEnv = [], allowOrigin = [] } = given;
  if (url === undefined) throw new TckError('usage', 'no --url', 'a2a-tck call get --url http://localhost:4000 --id …');
  checkUrl(url);
  const { callHere } = await import('../../endpoint/index.js');
  const { curlOf, printable } = await import('../../wire/index.js');
  const called = await callHere({
    url,
    operation: name,
    ...(profile === undefined ? {} : { profile }),
    ...(binding === undefined ? {} : { binding }),
    ...(given.params === undefined ? {} : { params: await readParams(given.params) }),
    ...(text === undefined ? {} : { text }),
    ...(id === undefined ? {} : { id }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    headers: credentialHeaders(header, bearerEnv, terminal.env),
    query: credentialQuery(queryEnv, terminal.env),
    allowedOrigins: allowOrigin,
    ...readNetwork(given, terminal.env),
    ...oauthClient(given, terminal.env),
    onDevice: deviceAsker(terminal),
  });
  const { exchange, sent, came, status, problems, canonical, outcome, evidence, title, operation, endpoint } = called;
  const { request, response, failure } = exchange;
  if (given.json === true) {
    const { headers = [], trailers } = response ?? {};
    const document = {
      profile: called.profile,
      endpoint,
      operation,
      request: { method: request.method, url: request.url, headers: request.headers, body: sent },
      ...(response === undefined
        ? {}
        : { response: { status: response.status, headers, ...(trailers && { trailers }), body: came } }),
      ...(status === undefined ? {} : { grpc: status }),
      ...(failure === undefined ? {} : { failure }),
      outcome,
      ...(problems.length === 0 ? {} : { problems }),
      canonical,
      curl: curlOf(exchange),
    };
    terminal.out(`${jsonText(document, 2)}\n`);
    return exitCodeOf(called);
  }
  const lines = (label: string, all: readonly string[]): void => {
    for (const text of all) terminal.out(`${label} ${printable(text, 4000)}\n`);
  };
  const block = (value: unknown): void => {
    terminal.out(`${jsonText(value, 2)}\n`);
  };
  const fields = (all: readonly (readonly [string, string])[]): readonly string[] =>
    all.map(([field, value]) => `${field}: ${value}`);
  terminal.err(`${evidence.map((text) => `${printable(text, 400)}\n`).join('')}${operation}, ${title}\n\n`);
  lines('>', [
    `${request.method} ${request.url}${request.http2 === true ? ' HTTP/2' : ''}`,
    ...fields(request.headers),
  ]);
  if (sent !== undefined) block(sent);
  terminal.out('\n');
  if (response !== undefined) {
    lines('<', [`HTTP ${response.status}`, ...fields(response.headers)]);
    for (const item of came) block(item);
    lines('<', fields(response.trailers ?? []));
    terminal.out('\n');
  }
  if (failure !== undefined) lines('!', [`${failure.kind}: ${failure.detail}`]);
  const { describe } = await import('../../client/index.js');
  if (canonical.length > 0) {
    terminal.out('In the words of every binding:\n');
    for (const item of canonical) block(item);
    terminal.out('\n');
  }
  if (outcome.kind !== 'result')
    lines(
      '',
      [describe({ ...outcome, exchange } as never)].map((text) => text.trim()),
    );
  else lines('!', problems);
  terminal.out(`Again: ${printable(curlOf(exchange), 20_000)}\n`);
  return exitCodeOf(called);
}
