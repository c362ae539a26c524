import { canParseUrl, isInnerAddress, isString } from '../model/index.js';
import type { Command, Problem } from './calls.js';
import type { Seams } from './seams.js';

/** 1.0 §13.2: names of internal servers, which are not webhooks. */
const forbiddenNames = /^(localhost|.*\.localhost|metadata|metadata\.google\.internal|instance-data(\..*)?)\.?$/;

/** Whether a host name or address is not a webhook, by its text: the agent resolves nothing. */
function isForbidden(hostname: string): boolean {
  return isInnerAddress(hostname) ?? forbiddenNames.test(hostname);
}

/** Hosts that are allowed for webhooks although they are forbidden: where the receivers of a test kit listen. */
export const testWebhookHosts: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

export type WebhookHosts = readonly string[] | ((url: URL) => boolean);

export const permits = (hosts: WebhookHosts, url: URL): boolean =>
  typeof hosts === 'function' ? hosts(url) : hosts.includes(url.hostname) || !isForbidden(url.hostname);

/**
 * For agents that a kit on the same machine tests: the numeric loopback address from port 1024 on, where the kit
 * listens, and nothing else that is forbidden.
 */
export const kitWebhooks = (url: URL): boolean =>
  (url.hostname === '127.0.0.1' && Number(url.port) >= 1024) || !isForbidden(url.hostname);

/** The webhook that a command names, if it names one. */
function webhookOf(command: Partial<Command> | undefined): readonly [path: string, url: unknown] | undefined {
  switch (command?.op) {
    case 'pushSet':
      return ['config.url', command.params?.config?.url];
    case 'send':
    case 'stream': {
      const config = command.params?.configuration?.push;
      return config === undefined ? undefined : ['configuration.push.url', config.url];
    }
    default:
      return undefined;
  }
}

/** What is wrong with the webhook of a command whose shape is right. */
export function webhookProblems(whole: Seams, command: Partial<Command>): readonly Problem[] {
  const found = webhookOf(command);
  if (found === undefined || !whole.card().capabilities.push) return [];
  const [path, text] = found;
  const wrong = (about: string): readonly Problem[] => [{ path, about, failure: 'InvalidParams' }];
  const url = isString(text) && canParseUrl(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    return wrong('url must be an absolute HTTP URL');
  if (url.username !== '' || url.password !== '') return wrong('url must not carry credentials');
  return whole.permitsWebhook(url) ? [] : wrong(`webhooks at ${url.hostname} are not allowed`);
}
