import { conforms, member } from '../../src/kit/index.js';
import { filled, objectsIn, own, unless } from '../shared/declared.js';

// A2A 0.3 §5.5.2.1 AgentExtension.

// In our words (1.0, 4.4.4 AgentExtension): Each declared extension has a string `uri`.
export const uri = conforms('card/extension-uri', 'ext.uri', 'give each declared extension a string `uri`', {
  otherwise: 'the card declares no extension',
  unless: unless('the card declares no extension', (card) => filled(member(card['capabilities'], 'extensions'))),
  advice:
    'Write extensions as a list of {"uri": "https://…"}, not as a map by URI: clients ask for an extension by this text.',
});

// In our words (1.0, 4.4.4 AgentExtension): Optional extension members have their types: description string, required
//   boolean, params object.
export const members = conforms(
  'card/extension-members',
  'ext.members',
  'give each optional member of its extensions the right type',
  {
    otherwise: 'no declared extension has optional members',
    unless: unless('no declared extension has required, description or params', (card) =>
      objectsIn(member(card['capabilities'], 'extensions')).some(own('required', 'description', 'params')),
    ),
    advice:
      'Write "required": true without quotes, description as one text, params as an object. Leave out what is not set.',
  },
);
