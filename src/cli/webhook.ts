import type { TargetOptions } from '../index.js';
import { TckError } from '../model/tck-error.js';
import { canParseUrl } from '../model/uri.js';

const everywhere = new Set(['0.0.0.0', '::']);

function readUrl(text: string): string {
  const url = canParseUrl(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new TckError('usage', `--webhook-url ${text} is not a base URL`, 'give one such as https://hooks.example');
  }
  return url.href;
}

/** `--webhook` and `--webhook-url`. Throws `TckError('usage')`. */
export function readWebhook(listen: string | undefined, url: string | undefined): Pick<TargetOptions, 'webhook'> {
  if (listen === undefined && url === undefined) return {};
  const [, bracketed, name, digits] = /^(?:\[([^\]]+)\]|([^:\s/]+))(?::(\d{1,5}))?$/.exec(listen ?? '') ?? [];
  const host = bracketed ?? name;
  const port = Number(digits ?? 0);
  if (listen === undefined) {
    throw new TckError(
      'usage',
      '--webhook-url needs --webhook, where the kit listens',
      'such as --webhook 0.0.0.0:8080',
    );
  }
  if (host === undefined || port > 65_535) {
    throw new TckError('usage', `--webhook ${listen} is not an address`, 'give one such as 0.0.0.0:8080');
  }
  if (everywhere.has(host) && url === undefined) {
    throw new TckError(
      'usage',
      `--webhook ${listen} needs --webhook-url`,
      'the address at which the agent reaches the kit',
    );
  }
  return { webhook: { host, port, ...(url === undefined ? {} : { url: readUrl(url) }) } };
}
