import { brief, check, conforms, evidence, isObject, isString, law, member, set, unseen } from '../../src/kit/index.js';
import { noCard, objectsIn, onCard, unless } from '../shared/declared.js';
import { cardAt } from './paths.js';

// Cards of dialects, beyond A2A: Terminal Bench document §1 Agent Card and its checklist, OpenClaw design Agent Card
// Generation.

// In our words (terminal-bench, A2A Compliance Checklist): The card says whether it streams and whether it runs long
//   tasks.
export const flagsDeclared = law(
  'dialect/flags-declared',
  'card.flags-declared',
  'say whether the agent streams and whether it runs long tasks',
  {
    subject: 'the card',
    otherwise: noCard,
    advice: 'Write streaming and longRunningTasks into capabilities, also where they are false.',
  },
  onCard((card) => {
    const missing = ['streaming', 'longRunningTasks'].find((name) => member(card['capabilities'], name) === undefined);
    return missing === undefined ? 'holds' : `capabilities has no ${missing}`;
  }),
);

const promises = (name: 'streaming' | 'pushNotifications', what: string) =>
  onCard((card) =>
    member(card['capabilities'], name) === true
      ? `capabilities.${name} is true, and the agent has no ${what}`
      : 'holds',
  );

// In our words (terminal-bench, A2A Compliance Checklist): The card declares streaming false.
export const noStreaming = law(
  'dialect/no-streaming',
  'card.no-streaming',
  'promise no streams',
  { subject: 'the card', otherwise: noCard, advice: 'Write "streaming": false: this dialect has no streams.' },
  promises('streaming', 'streams'),
);

// In our words (terminal-bench, A2A Compliance Checklist): The card declares pushNotifications false.
export const noPush = law(
  'dialect/no-push',
  'card.no-push',
  'promise no push notifications',
  {
    subject: 'the card',
    otherwise: noCard,
    advice: 'Write "pushNotifications": false: this dialect has no methods for them.',
  },
  promises('pushNotifications', 'push notifications'),
);

// In our words (terminal-bench, A2A Compliance Checklist): The card declares no security schemes.
export const noSecurity = law(
  'dialect/no-security',
  'card.no-security',
  'declare no security schemes',
  {
    subject: 'the card',
    otherwise: noCard,
    advice: 'Take securitySchemes out of the card: this dialect has no authentication.',
  },
  onCard(({ securitySchemes: schemes }) =>
    isObject(schemes) && Object.keys(schemes).length > 0 ? `the card declares ${brief(Object.keys(schemes))}` : 'holds',
  ),
).mutants(set('securitySchemes', { main: { type: 'http', scheme: 'bearer' } }));

// In our words (terminal-bench, A2A Compliance Checklist): Skills come with examples.
export const skillExamples = law(
  'dialect/skill-examples',
  'card.skill-examples',
  'give examples with each skill',
  { subject: 'the card', otherwise: noCard, advice: 'Add one or more prompts as examples to each skill, in a list.' },
  onCard((card) => {
    const skills = objectsIn(card['skills']);
    const without = skills.find(({ examples }) => !Array.isArray(examples) || examples.length === 0);
    if (without !== undefined) return `the skill ${brief(without['id'])} has no examples`;
    return skills.length > 0 ? 'holds' : 'not-concerned';
  }),
);

// In our words (terminal-bench, 1. Agent Card (Agent Discovery)): The card may have a `metadata` object naming the
//   model, the framework and `a2a_version`.
export const metadata = law(
  'dialect/card-metadata',
  'card.metadata',
  'hold its metadata in an object',
  {
    subject: 'the card',
    otherwise: noCard,
    unless: unless('the card has no metadata', (card) => Object.hasOwn(card, 'metadata')),
    advice: 'Write metadata as an object, {"model": "…", "framework": "…"}, or leave it out.',
  },
  onCard((card) => (isObject(card['metadata']) ? 'holds' : `metadata is ${brief(card['metadata'])}`)),
);

// In our words (OpenClaw, Agent Card Generation): A present `authentication` has `schemes`, an array of strings.
export const authentication = conforms(
  'dialect/authentication',
  'card.old-authentication',
  'name the schemes of authentication as a list of texts',
  {
    subject: 'the card',
    otherwise: noCard,
    unless: unless('the card has no authentication', (card) => Object.hasOwn(card, 'authentication')),
    advice:
      'Write "authentication": {"schemes": ["…"]}, with a list also for one scheme, or leave it out at an open agent.',
  },
);

// In our words (terminal-bench, API Endpoints): The card may also be served at /agent-card.
export const alternativePath = check('dialect/alternative-card-path', 'card.alternative-path')
  .when('the client looks for the card at /agent-card', cardAt('/agent-card'))
  .expects('serve the same card or none', (found, { target }) => {
    const open = unseen(found.exchange, 'the card was asked for there');
    if (open !== undefined) return open;
    if (found.failure !== undefined || found.status >= 500) return evidence(found.exchange);
    if (!isObject(found.value) || target.cardDocument === undefined) return undefined;
    const [here, there] = [member(target.cardDocument, 'name'), member(found.value, 'name')];
    return isString(there) && here !== there ? `it is the card of ${brief(there)}, not of ${brief(here)}` : undefined;
  })
  .advice('Serve the one card at both paths, or answer 404 here.');
