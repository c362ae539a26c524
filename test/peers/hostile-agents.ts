import type { IncomingMessage } from 'node:http';
import { dialectById, type ProfileId } from '../../src/dialect/index.js';
import { createAgent, type Patch } from '../../src/reference/index.js';
import { type Carrier, realClock } from '../../src/wire/index.js';
import type { Behaviour } from './hostile-wire.js';

// Harm in what is said: an agent that answers as it should, but for the texts, names and addresses in its answers.

/** For terminals, pages and logs alike. */
export const evilText =
  '\u001b]0;owned\u0007\u001b[31m\u009b2J</script><img src=x onerror=alert(1)>\u202e$(id)\r\n::error::x\u0000\ud800';
export const evilMark = 'onerror=alert';

interface Words {
  readonly base: string;
  readonly elsewhere: string;
}
type Tongue = (text: string, words: Words, isCard: boolean) => string;

const agents = new Map<string, Carrier>();
/** The reference agent at this URL, the same each time. */
export function agentAt(base: string, profile: ProfileId = 'a2a-0.3', patches: readonly Patch[] = []): Carrier {
  const known = agents.get(base);
  if (known !== undefined) return known;
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error(`no dialect ${profile}`);
  const agent = createAgent({ dialect, clock: realClock, baseUrl: base, patches });
  agents.set(base, agent.handle);
  return agent.handle;
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

type HeaderList = readonly (readonly [name: string, value: string])[];

interface Manner {
  /** Beside the content type. */
  readonly headers?: HeaderList;
  /** What the agent makes of the text of a request before it reads it. */
  readonly ear?: (text: string) => string;
}

/** The reference agent with another tongue. */
const speaking =
  (tongue: Tongue, { headers: more = [], ear = (text) => text }: Manner = {}): Behaviour =>
  (request, response, base, elsewhere) => {
    const answer = async (): Promise<void> => {
      const body = request.method === 'POST' ? Buffer.from(ear((await bodyOf(request)).toString())) : undefined;
      const url = `${base}${request.url?.startsWith('/') ? request.url : '/'}`;
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
      const asked = { method: request.method ?? 'GET', url, headers, ...(body === undefined ? {} : { body }) };
      const reply = await agentAt(base)(asked, AbortSignal.timeout(30_000));
      const chunks: Uint8Array[] = [];
      for await (const chunk of reply.body) chunks.push(chunk);
      const text = tongue(Buffer.concat(chunks).toString(), { base, elsewhere }, request.method === 'GET');
      response.writeHead(reply.status, ['content-type', 'application/json', ...more.flat()]).end(text);
    };
    answer().catch(() => response.destroy());
  };

const evilJson = JSON.stringify(evilText);
const prototypes = '"__proto__":{"polluted":true,"toString":1},"constructor":{"prototype":{"polluted":true}},';

/** Every text member of these names says something evil. */
const named =
  (...names: readonly string[]): Tongue =>
  (text) =>
    text.replaceAll(new RegExp(`"(${names.join('|')})":"(?:[^"\\\\]|\\\\.)*"`, 'g'), `"$1":${evilJson}`);

const pad = 'x'.repeat(1 << 20);
const cookies: HeaderList = Array.from({ length: 1200 }, (_, at) => ['set-cookie', `c${at}=${'v'.repeat(24)}`]);

const asItIs = speaking((text) => text);

/** Commands to the runners of GitHub, Azure and TeamCity, each where it would be read. */
export const runnerText =
  '::add-mask::x\n::add-mask::y\r\n  ::stop-commands::z ##[error]x ##vso[task.setvariable variable=x]y ##teamcity[x] ::warning::x';
const runnerJson = JSON.stringify(runnerText);

const unknownMembers = Array.from({ length: 60_000 }, (_, at) => `"x${at}":${at},`).join('');
const emptyParts = '{},'.repeat(10_000);
const oldMessages = '{"kind":"message","messageId":"m","role":"agent","parts":[]},'.repeat(15_000);
const withExtensions = (card: string, extensions: readonly object[]): string =>
  card.replace('"capabilities":{', `"capabilities":{"extensions":${JSON.stringify(extensions)},`);
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** No point of the curve: each is a key to try all the same. */
const crowdedKeys = JSON.stringify({
  keys: Array.from({ length: 30_000 }, (_, at) => {
    const coordinate = Buffer.alloc(32, at % 251).toString('base64url');
    return { kty: 'EC', crv: 'P-256', kid: 'one', alg: 'ES256', use: 'sig', x: coordinate, y: coordinate };
  }),
});
const signedCrowd = speaking((text, { base }, isCard) => {
  if (!isCard) return text;
  const signature = {
    protected: base64url({ alg: 'ES256', kid: 'one', jku: `${base}/keys` }),
    signature: Buffer.alloc(64, 7).toString('base64url'),
  };
  const skill = '{"id":"s","name":"s","description":"s","tags":["s"]},';
  const signed = text.replace(/^\{/, `{"signatures":${JSON.stringify(Array.from({ length: 4 }, () => signature))},`);
  return signed.replace('"skills":[', `"skills":[${skill.repeat(8000)}`);
});

export const agentHarms: Readonly<Record<string, readonly [string, Behaviour]>> = {
  'evil-names': [
    'markup and escapes in the name, version and texts of the card',
    speaking(named('name', 'version', 'description')),
  ],
  'evil-texts': ['markup and escapes in every text and error', speaking(named('text', 'message', 'name'))],
  'evil-ids': [
    'markup and escapes in every id',
    speaking(named('id', 'taskId', 'contextId', 'messageId', 'artifactId')),
  ],
  'evil-members': [
    'markup and escapes in names of members',
    speaking((text) => text.replaceAll('{"', `{${evilJson}:1,"`)),
  ],
  'prototype-members': [
    'members named __proto__ and constructor everywhere',
    speaking((text) => text.replaceAll('{"', `{${prototypes}"`)),
  ],
  'card-elsewhere': [
    'a card that sends the kit to another server',
    speaking((text, { base, elsewhere }, isCard) => (isCard ? text.replaceAll(base, elsewhere) : text)),
  ],
  'card-inward': [
    'a card whose endpoint is an address of cloud metadata',
    speaking((text, { base }, isCard) => (isCard ? text.replaceAll(base, 'http://169.254.169.254/latest') : text)),
  ],
  'card-script-url': [
    'a card whose endpoint is a script',
    speaking((text, { base }, isCard) => (isCard ? text.replaceAll(base, 'javascript:alert(1)//') : text)),
  ],
  'crowded-card': [
    'a card of 20,000 skills',
    speaking((text, _, isCard) => {
      const skill = '{"id":"s","name":"s","description":"s","tags":["s"]},';
      return isCard ? text.replace('"skills":[', `"skills":[${skill.repeat(20_000)}`) : text;
    }),
  ],
  'large-texts': [
    'a megabyte in every text',
    speaking((text, _, isCard) => (isCard ? text : text.replace(/"text":"/, `"text":"${'x'.repeat(1 << 20)}`))),
  ],
  'other-task': [
    'the id of another task in every answer',
    speaking((text) => text.replaceAll(/"(id|taskId)":"0000[^"]*"/g, (_, name) => `"${name}":"${Math.random()}"`)),
  ],
  'never-done': [
    'every task at work forever',
    speaking((text) => text.replaceAll(/"state":"\w[\w-]*"/g, '"state":"working"')),
  ],
  'many-skills': [
    'a card of 200,000 empty skills',
    speaking((text, _, isCard) => (isCard ? text.replace('"skills":[', `"skills":[${'{},'.repeat(200_000)}`) : text)),
  ],
  'huge-ids': [
    'a megabyte in every id of a task',
    speaking(
      (text, _, isCard) =>
        isCard
          ? text
          : text.replaceAll(/"(id|taskId)":"(0000[^"]*)"/g, (_whole, name, id) => `"${name}":"${id}${pad}"`),
      { ear: (text) => text.replaceAll(pad, '') },
    ),
  ],
  'many-cookies': ['1,200 cookies, 60 KB of headers, in every answer', speaking((text) => text, { headers: cookies })],
  'secret-words': [
    'half a megabyte of what looks like credentials in every text',
    speaking((text, _, isCard) =>
      isCard ? text : text.replace(/"text":"/, `"text":"${'?token=x… [hidden] [secret-1] '.repeat(16_000)}`),
    ),
  ],
  'signed-crowd': [
    '8,000 skills under 4 signatures, and 30,000 keys of one name for each',
    (request, response, base, elsewhere) => {
      if (request.url === '/keys') response.writeHead(200, { 'content-type': 'application/json' }).end(crowdedKeys);
      else signedCrowd(request, response, base, elsewhere);
    },
  ],
  'long-uri': [
    'an optional extension whose URI has 400 KB of digits',
    speaking((text, _, isCard) =>
      isCard ? withExtensions(text, [{ uri: `https://example.com/${'1'.repeat(400_000)}`, required: false }]) : text,
    ),
  ],
  'many-extensions': [
    '30,000 optional and 20,000 required extensions',
    speaking((text, _, isCard) => {
      const extension = (at: number) => ({ uri: `https://example.com/${at}`, required: at < 20_000 });
      return isCard
        ? withExtensions(
            text,
            Array.from({ length: 50_000 }, (_whole, at) => extension(at)),
          )
        : text;
    }),
  ],
  'many-parts': [
    '10,000 empty parts in every message and artifact',
    speaking((text, _, isCard) => (isCard ? text : text.replaceAll('"parts":[', `"parts":[${emptyParts}`)), {
      ear: (text) => text.replaceAll(emptyParts, ''),
    }),
  ],
  'many-messages': [
    '15,000 messages more in the history of every task',
    speaking((text, _, isCard) => (isCard ? text : text.replaceAll('"history":[', `"history":[${oldMessages}`))),
  ],
  'many-members': [
    '60,000 unknown members in every answer',
    speaking((text, _, isCard) => (isCard ? text : text.replace('"result":{', `"result":{${unknownMembers}`))),
  ],
  'just-in-time': [
    'each answer after 350 ms, just before a time limit of 400 ms',
    (...asked) => void setTimeout(() => asItIs(...asked), 350),
  ],
  'runner-commands': [
    'commands to a CI runner in every name, text, id and error',
    speaking((text) =>
      text.replaceAll(
        /"(name|version|description|text|message|id|taskId|contextId|messageId|artifactId)":"(?:[^"\\]|\\.)*"/g,
        `"$1":${runnerJson}`,
      ),
    ),
  ],
};
