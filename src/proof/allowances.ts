import { bundledAllowances } from '../../packs/proofs.js';
import { impostors } from '../reference/index.js';

/** A check that may pass on an impostor, with the reason: the impostor really does what the check judges. */
export interface Allowance {
  /** Check id; `card/*` for all of a suite. */
  readonly check: string;
  readonly impostors: 'any' | readonly string[];
  readonly reason: string;
}

/** Impostors behind the card of the reference agent. */
const masks = impostors.map((impostor) => impostor.id).filter((id) => id.startsWith('card-and-'));

/** Checks that read only the card; checks that call the agent are not among them. */
const onCardAlone = [
  'published',
  'is-object',
  'well-known-path',
  'media-type',
  'name',
  'description',
  'version',
  'protocol-version',
  'protocol-version-line',
  'url',
  'preferred-transport',
  'capabilities',
  'capability-flags',
  'default-modes',
  'modes-are-media-types',
  'provider',
  'skills',
  'skill-id',
  'skill-ids-unique',
  'skill-texts',
  'skill-tags',
  'skill-lists',
  'transport-declared',
  'transport-names',
  'no-secrets',
  'interfaces',
  'interface-members',
  'custom-binding-uri',
  'protocol-version-format',
  'protocol-version-no-patch',
  'no-old-members',
  'cache-control',
  'etag',
  'not-modified',
  ...bundledAllowances.onCardAlone,
];

/** What may pass on impostors. */
export const allowances: readonly Allowance[] = [
  ...onCardAlone.map((name) => ({
    check: `card/${name}`,
    impostors: masks,
    reason: 'The impostor serves a real card, which is correct.',
  })),
  {
    check: 'card/endpoint-answers',
    impostors: [
      'card-and-empty-result',
      'card-and-null-result',
      'card-and-one-task',
      'card-and-one-message',
      'card-and-parse-error',
      'card-and-invalid-request',
      'card-and-method-not-found',
      'card-and-invalid-params',
      'card-and-internal-error',
      'card-and-task-not-found',
      'card-and-right-refusals',
    ],
    reason: 'The URL of the card does answer in JSON-RPC; other checks judge what it says.',
  },
  {
    check: 'card/endpoint-answers',
    impostors: ['card-and-examples', 'card-and-events', 'card-and-404-task', 'card-and-400-unsupported'],
    reason: 'The path of a task below the URL of the card does answer as the version says; others judge what it says.',
  },
  {
    check: 'card/endpoint-answers',
    impostors: [
      'card-and-empty-messages',
      'card-and-false-compression',
      'card-and-mirrored-messages',
      'card-and-example-messages',
      'card-and-internal',
      'card-and-unauthenticated',
      'card-and-not-found-status',
    ],
    reason: 'The URL of the card does answer in gRPC; other checks judge what it says.',
  },
  {
    check: 'card/wire-matches-card',
    impostors: ['card-and-mirrored-messages', 'card-and-example-messages'],
    reason: 'The path of the version is there, and its answer is spelled as the card says.',
  },
  {
    check: 'card/wire-matches-card',
    impostors: ['card-and-one-task', 'card-and-one-message', 'card-and-examples', 'card-and-events'],
    reason: 'The answer is always the same, but it is spelled as the card says.',
  },
  {
    check: 'auth/challenge*',
    impostors: ['unauthorized'],
    reason: 'Each of its 401 names Bearer in WWW-Authenticate, which is what the sentence asks for.',
  },
  ...bundledAllowances.others,
];
