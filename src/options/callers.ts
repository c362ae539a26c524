import { type Options, text, texts } from './option.js';

/** Credentials of the callers, and what the agent reaches. */
export const callers = {
  header: texts('<header>', "'Name: value', sent with every request; hidden in all output", {
    inFile: 'a text or a list of texts: Name: value, in quotes; sent with every request',
    deed: 'sends credentials',
    secret: 'value',
    api: 'headers',
  }),
  'bearer-env': text('<variable>', 'environment variable that holds a bearer token', {
    deed: 'sends credentials',
    secret: 'variable',
    api: 'headers',
    action: { input: 'bearer-token', about: 'Sent to the agent; give it as a secret' },
  }),
  'oauth-client-id-env': text(
    '<variable>',
    'environment variable that holds an OAuth client id: the kit gets tokens as the card says, and renews them',
    { deed: 'sends credentials', api: 'oauth.clientId' },
  ),
  'oauth-client-secret-env': text('<variable>', 'environment variable that holds the secret of that client', {
    deed: 'sends credentials',
    secret: 'variable',
    api: 'oauth.clientSecret',
  }),
  'oauth-scope': text('<scopes>', 'scopes to ask for, with spaces between', {
    usual: 'those of the card',
    api: 'oauth.scope',
  }),
  'query-env': texts('<name=variable>', 'a key that belongs into the URL, from the environment', {
    deed: 'sends credentials',
    secret: 'variable',
    api: 'query',
  }),
  'second-header': texts('<header>', 'header of a second caller, who must have no access to the data of the first', {
    deed: 'sends credentials',
    secret: 'value',
    api: 'secondHeaders',
  }),
  'second-bearer-env': text('<variable>', 'environment variable that holds the bearer token of that caller', {
    deed: 'sends credentials',
    secret: 'variable',
    api: 'secondHeaders',
  }),
  'second-query-env': texts('<name=variable>', 'a key of that caller that belongs into the URL', {
    deed: 'sends credentials',
    secret: 'variable',
    api: 'secondQuery',
  }),
  'allow-origin': texts('<origin>', 'another origin to which the card may point', {
    deed: 'trusts others',
    api: 'allowedOrigins',
  }),
  webhook: text('<host[:port]>', 'where the kit listens for push notifications', {
    usual: 'for agents on this machine',
    api: 'webhook',
  }),
  'webhook-url': text('<url>', 'where the agent reaches the kit, if not at --webhook', { api: 'webhook.url' }),
  'restart-command': text('<command>', 'restarts the agent: the kit then checks that its tasks are still there', {
    deed: 'runs commands',
    api: 'restart',
  }),
} satisfies Options;
