import type { IncomingMessage } from 'node:http';
import { dialectById } from '../../src/dialect/index.js';
import { createAgent } from '../../src/reference/index.js';
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
function agentAt(base: string): Carrier {
  const known = agents.get(base);
  if (known !== undefined) return known;
  const dialect = dialectById('a2a-0.3');
  if (dialect === undefined) throw new Error('no dialect a2a-0.3');
  const agent = createAgent({ dialect, clock: realClock, baseUrl: base });
  agents.set(base, agent.handle);
  return agent.handle;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The reference agent with another tongue. */
const speaking =
  (tongue: Tongue): Behaviour =>
  (request, response, base, elsewhere) => {
    const answer = async (): Promise<void> => {
      const body = request.method === 'POST' ? await bodyOf(request) : undefined;
      const url = `${base}${request.url?.startsWith('/') ? request.url : '/'}`;
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
      const asked = { method: request.method ?? 'GET', url, headers, ...(body === undefined ? {} : { body }) };
      const reply = await agentAt(base)(asked, AbortSignal.timeout(30_000));
      const chunks: Uint8Array[] = [];
      for await (const chunk of reply.body) chunks.push(chunk);
      const text = tongue(Buffer.concat(chunks).toString(), { base, elsewhere }, request.method === 'GET');
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text);
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
    'every task at work for ever',
    speaking((text) => text.replaceAll(/"state":"\w[\w-]*"/g, '"state":"working"')),
  ],
};
