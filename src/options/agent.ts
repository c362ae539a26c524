import { choice, type Options, text } from './option.js';

/** Which agent it is. */
export const agent = {
  url: text('<url>', 'base, card or endpoint URL of the agent', {
    mayBeEmpty: true,
    api: 'url',
    action: {
      input: 'url',
      about: 'Base, card or endpoint URL of the agent; may stand in the configuration file instead',
    },
  }),
} satisfies Options;

/** What the agent speaks. */
export const profile = {
  profile: text('<id>', 'what the agent speaks; a2a-tck list profiles', {
    usual: 'auto',
    mayBeEmpty: true,
    api: 'profile',
    action: {
      input: 'profile',
      about: 'What the agent speaks (default, what the configuration file says, else it is detected)',
    },
  }),
  binding: choice(
    '<name>',
    ['auto', 'jsonrpc', 'http+json', 'grpc', 'all'],
    'which interface is judged, all: each in full',
    { usual: 'auto, the first in full, the others in part', api: 'binding' },
  ),
} satisfies Options;
