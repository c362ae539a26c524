import {
  answerTo,
  aTask,
  check,
  codeIs,
  describe,
  early,
  ifMet,
  inconclusive,
  NotApplicable,
  type Outcome,
  refused,
  source,
} from '../../src/kit/index.js';
import { keptOut, required } from '../shared/callers.js';
import {
  activating,
  declaredSet,
  declaredUris,
  otherVersion,
  requiredUris,
  sendActivating,
  withoutRequired,
} from './activation.js';

// A2A 1.0 §3.3.4, §4.6.1, §4.6.3; 0.3 topics/extensions (AMB03-28). Only sending a message is judged (AMB10-25).

const withRequired = source('a message with the required extensions', (scene) =>
  sendActivating(scene, requiredUris(scene.card)),
);

/** Each request declares what its client supports (1.0 §3.3.2): a later turn has to ask again. */
const answerWithout = source(
  'an answer to a task that asks for input, without the required extensions',
  async (scene) => {
    if (requiredUris(scene.card).length === 0) throw new NotApplicable('the card requires no extension');
    const task = await ifMet(scene.use(aTask('input-required')));
    if (task === undefined) return undefined;
    const params = { message: answerTo(scene, task), configuration: early(scene) };
    return scene.client.call('send', params, activating(scene, []));
  },
);

// In our words (1.0, 3.3.4 Capability Validation): A request not declaring a required extension is refused.
export const requiredRefused = check('extension/required-refused', 'ext.required-refused')
  .given('answer', withoutRequired)
  .given('later', answerWithout)
  .when(
    'a message does not ask for a required extension',
    async ({ answer, later }): Promise<Outcome<unknown>> => (later?.kind === 'result' ? later : answer),
  )
  .expects('refuse each', refused)
  .butAccepts('the same with what it requires', (scene) => scene.use(withRequired))
  .advice('Refuse it, also where it is an answer to a task, or declare the extension with required false.');

// In our words (1.0, 3.3.4 Capability Validation): The error of a missing required extension is
//   ExtensionSupportRequiredError.
export const requiredCode = check('extension/required-code', 'ext.required-code')
  .given('answer', withoutRequired)
  .when('a message does not ask for a required extension', async ({ answer }) => answer)
  .expects('refuse the message as ExtensionSupportRequired', codeIs('ExtensionSupportRequired'))
  .butAccepts('the same with what it requires', (scene) => scene.use(withRequired))
  .advice('Answer -32008 (reason EXTENSION_SUPPORT_REQUIRED): another error does not name the missing extension.');

// In our words (1.0, 4.6.1 Extension Declaration): A request declaring the required extensions is not refused for that
//   reason.
export const requiredAccepted = check('extension/required-accepted', 'ext.required-accepted')
  .given('answer', withRequired)
  .when('the client asks for all required extensions', async ({ answer }) => answer)
  .expects('not refuse the message because an extension is missing', (answer) => {
    if (answer.kind === 'result') return undefined;
    const isBlamed = answer.kind === 'refusal' && answer.error === 'ExtensionSupportRequired';
    return isBlamed
      ? describe(answer)
      : inconclusive(`the agent refused the message for another reason: ${describe(answer)}`);
  })
  .advice(
    'Split A2A-Extensions at the commas, trim, and look for each required URI. Extensions with required false must not be demanded.',
  );

// In our words (1.0, 4.6.3 Extension Versioning and Compatibility): A required extension requested in an unsupported
//   version is refused.
export const requiredVersion = check('extension/required-version-refused', 'ext.required-version-refused')
  .when('the client asks for a required extension in another version', (scene) => {
    const { card } = scene;
    const [first, ...rest] = requiredUris(card);
    const other = first === undefined ? undefined : otherVersion(first, declaredSet(card));
    if (first !== undefined && other === undefined)
      throw new NotApplicable(`the card declares all versions near ${first}`);
    return sendActivating(scene, other === undefined ? [] : [other, ...rest]);
  })
  .expects('refuse the message', refused)
  .butAccepts('the version that is declared', (scene) => scene.use(withRequired))
  .advice('Compare whole URIs, version included: a prefix that fits is not enough.');

// topics/extensions: an extension must not open a way around the agent's security.
// In our words (1.0, 4.6 Extensions (rule from topics/extensions)): Extension methods are under the same
//   authentication.
export const guarded = check('extension/no-way-in', 'ext.methods-authenticated')
  .when('the client asks for the declared extensions without credentials', async (scene) => {
    required(scene.card);
    const uris = declaredUris(scene.card);
    return [{ op: 'send', outcome: await sendActivating(scene, uris, { credentials: 'none' }) }] as const;
  })
  .expects('refuse the message', (calls, { client }) => keptOut(calls, client.isSomebody))
  .advice(
    'Authenticate every request before you look at its extensions: a request for one does not identify the caller.',
  );

// In our words (1.0, 4.6.3 Extension Versioning and Compatibility): Extension URIs contain a version.
export const uriVersioned = check('extension/uri-versioned', 'ext.uri-versioned')
  .when('the client reads the URIs of the declared extensions', async ({ card }) => declaredUris(card))
  .expects('name a version in each', (uris) => {
    const bare = uris.find((uri) => !/\d/.test(uri.replace(/^[a-z+]+:\/\/[^/]*/i, '')));
    return bare === undefined ? undefined : `${bare} names no version`;
  })
  .advice('End the URI with a version, as in …/v1: a later version then is another extension.');
