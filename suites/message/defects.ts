import {
  check,
  codeIs,
  type Draft,
  describe,
  early,
  inconclusive,
  isTerminal,
  type Judgement,
  type Message,
  member,
  type Outcome,
  PreconditionUnmet,
  refused,
  refusedAs,
  type Scene,
  type SendReply,
  type Source,
  source,
} from '../../src/kit/index.js';
import { alive, invented, sendPlain } from './sends.js';

// A2A 0.3 §7.1.1, §6.4, §6.5; 1.0 §3.3.2, §4.1.4, §4.1.6, §5.7: required members of a message. AMB03-21: -32600 passes
// like -32602.

const broken = (about: string, spoil: (message: Message) => Draft<Message>): Source<Outcome<SendReply>> =>
  source(about, (scene: Scene) =>
    scene.client.call('send', { message: spoil(scene.say()), configuration: early(scene) }, { invalid: true }),
  );

const noMessage = source('params without a message', (scene: Scene) =>
  scene.client.call('send', { configuration: early(scene) }, { invalid: true }),
);
const noParts = broken('a message without parts', (message) => ({ ...message, parts: undefined }));

const plainText = 'the same message with a text part';
const shapeRefused = refusedAs('InvalidParams', 'InvalidRequest');

// In our words (1.0, 3.3.2 Error Handling): A request without `message` is refused as invalid.
export const messageRequired = check('message/message-required', 'send.message-required')
  .when('the client sends params without a message', ({ use }) => use(noMessage))
  .expects('refuse the call', refused)
  .butAccepts('params with a message', sendPlain)
  .advice(
    'Check that the message is present before you use it, and refuse the call as invalid params. Catch what the validation throws: no error page.',
  );

// In our words (1.0, 3.3.2 Error Handling): A SendMessage whose params lack a required member is refused as invalid
//   params.
export const messageRequiredCode = check('message/message-required-code', 'send.shape-code')
  .when('the client sends params without a message', ({ use }) => use(noMessage))
  .expects('refuse the call as InvalidParams', codeIs('InvalidParams', 'InvalidRequest'))
  .butAccepts('params with a message', sendPlain)
  .advice(
    'Answer invalid params (-32602, 400, INVALID_ARGUMENT): what is thrown where members are read becomes an internal error.',
  );

// In our words (1.0, 3.3.2 Error Handling): A message without `parts` is refused as invalid.
export const partsRequired = check('message/parts-required', 'send.parts-required')
  .when('the client sends a message without parts', ({ use }) => use(noParts))
  .expects('refuse the message', refused)
  .butAccepts(plainText, sendPlain)
  .advice('Validate the params before work is started: a message without parts must not become a task.');

// In our words (1.0, 3.3.2 Error Handling): A SendMessage whose params lack a required member is refused as invalid
//   params.
export const partsRequiredCode = check('message/parts-required-code', 'send.shape-code')
  .when('the client sends a message without parts', ({ use }) => use(noParts))
  .expects('refuse the message as InvalidParams', codeIs('InvalidParams', 'InvalidRequest'))
  .butAccepts(plainText, sendPlain)
  .advice(
    'Answer invalid params (-32602, 400, INVALID_ARGUMENT): what is thrown where members are read becomes an internal error.',
  );

const emptyParts = broken('a message with no part in parts', (message) => ({ ...message, parts: [] }));

// In our words (1.0, 3.3.2 Error Handling): A message with an empty `parts` array is refused as invalid.
export const partsEmptyRefused = check('message/empty-parts-refused', 'send.empty-parts-refused')
  .when('the client sends a message with an empty parts array', ({ use }) => use(emptyParts))
  .expects('refuse the message', refused)
  .butAccepts(plainText, sendPlain)
  .advice(
    'An empty list passes a test for a list: check for at least one part. Refuse as invalid params (-32602, 400, INVALID_ARGUMENT).',
  );

// In our words (0.3, 6.4 Message Object): A message with an empty `parts` array may be refused or accepted.
export const partsEmpty = check('message/empty-parts', 'send.empty-parts')
  .when('the client sends a message with an empty parts array', ({ use }) => use(emptyParts))
  .expects('answer without an error of its own', async (outcome, scene): Promise<Judgement> => {
    if (outcome.kind === 'refusal' && outcome.error === 'InternalError') return describe(outcome);
    return alive(outcome, scene);
  })
  .butAccepts(plainText, sendPlain)
  .advice('Check for at least one part before you read the first one: answer -32602, or take the message.');

/** Messages without parts in a context of the client, and what is listed there before and after. */
const inOwnContext = source('a context of the client', async (scene: Scene) => {
  const { contextId, outcome } = await scene.use(invented);
  const kept = outcome.kind !== 'result' ? undefined : outcome.value;
  const named = kept?.type === 'task' ? kept.task.contextId : kept?.message.contextId;
  if (named !== contextId) throw new PreconditionUnmet('the agent keeps no contextId that a client makes');
  const { client, say } = scene;
  const list = () => client.call('list', { contextId });
  const before = await list();
  const configuration = early(scene);
  for (const parts of [undefined, []]) {
    const message = { ...say(), contextId, parts };
    const taken = await client.call('send', { message, configuration }, { invalid: true });
    if (taken.kind !== 'refusal') return { before, taken, after: undefined };
  }
  return { before, taken: undefined, after: await list() };
});

// In our words (1.0, 3.3.2 Error Handling): A message with an empty `parts` array is refused as invalid.
export const refusedMakesNoTask = check('message/refused-makes-no-task', 'send.empty-parts-refused')
  .given('seen', inOwnContext)
  .when('the client sends messages without parts in a context of its own', async ({ seen }) => seen.after)
  .expects('make no task of those that it refuses', (after, { seen: { taken, before } }): Judgement => {
    if (taken !== undefined)
      return inconclusive(`see message/parts-required: the agent did not refuse each message: ${describe(taken)}`);
    if (before.kind !== 'result' || after?.kind !== 'result')
      return inconclusive('see list/has-new-task: the agent did not list the context');
    const known = new Set(before.value.tasks.map(({ id }) => id));
    const made = after.value.tasks.find(
      ({ id, status: { state } }) => !known.has(id) && (state === 'completed' || !isTerminal(state)),
    );
    return (
      made && `both messages were refused, and the context has the new task ${made.id}, which is ${made.status.state}`
    );
  })
  .butAccepts(plainText, sendPlain)
  .advice('Validate the message before a task is put into the store: no call ends a task whose message was refused.');

const robot = broken('a message of a robot', (message) => ({ ...message, role: 'robot' }));
const noRole = broken('a message without a role', (message) => ({ ...message, role: undefined }));

// In our words (1.0, 5.7 Field Presence and Optionality): A message with missing, unspecified or unknown `role` is
//   refused as invalid.
export const roleChecked = check('message/role-unknown', 'send.role-checked')
  .when('the client sends a message with the role robot', ({ use }) => use(robot))
  .expects('refuse the message as InvalidParams', shapeRefused)
  .butAccepts('the same message with the role user', sendPlain)
  .advice('Compare the role with those that there are, and answer -32602: a text field takes any word.');

// In our words (1.0, 5.7 Field Presence and Optionality): A message with missing, unspecified or unknown `role` is
//   refused as invalid.
export const roleRequired = check('message/role-required', 'send.role-checked')
  .when('the client sends a message without a role', ({ use }) => use(noRole))
  .expects('refuse the message as InvalidParams', shapeRefused)
  .butAccepts('the same message with the role user', sendPlain)
  .advice('Check for the role before a default is set, and answer -32602.');

const noMessageId = broken('a message without a messageId', (message) => ({ ...message, messageId: undefined }));

// In our words (1.0, 5.7 Field Presence and Optionality): A message without `messageId` is refused as invalid.
export const messageIdRequired = check('message/message-id-required', 'send.message-id-required')
  .when('the client sends a message without a messageId', ({ use }) => use(noMessageId))
  .expects('refuse the message as InvalidParams', shapeRefused)
  .butAccepts('the same message with a messageId', sendPlain)
  .advice('Check for a messageId that is not empty, and refuse as invalid params (-32602, 400, INVALID_ARGUMENT).');

// In our words (0.3, 6.4 Message Object): A message without `messageId` is refused as invalid params, if it is refused.
export const messageIdMissing = check('message/message-id-missing', 'send.message-id-missing')
  .when('the client sends a message without a messageId', ({ use }) => use(noMessageId))
  // AMB03-05: the schema requires it, and examples in the specification omit it.
  .expects(
    'accept the message, or refuse it as InvalidParams',
    async (outcome, scene): Promise<Judgement> =>
      outcome.kind === 'refusal' ? shapeRefused(outcome) : alive(outcome, scene),
  )
  .butAccepts('the same message with a messageId', sendPlain)
  .advice('Accept the message, or answer -32602: what the validation throws must not become -32603.');

const noKind = broken('a message without kind', (message) => ({ ...message, kind: undefined }));

// In our words (0.3, 6.4 Message Object): A request message without `kind` may be accepted.
export const kindOptional = check('message/kind-missing', 'send.kind-optional')
  .when('the client sends a message without kind', ({ use }) => use(noKind))
  .expects(
    'accept the message, or refuse it as InvalidParams',
    async (outcome, scene): Promise<Judgement> =>
      outcome.kind === 'refusal' ? shapeRefused(outcome) : alive(outcome, scene),
  )
  .butAccepts('the same message with kind', sendPlain)
  .advice('Accept the message, or answer -32602. Check for kind before you branch by it.');

const hologram = broken('a hologram', (message) => ({ ...message, parts: [{ kind: 'hologram', hologram: 'Hello!' }] }));
const noPartKind = broken('a part without kind', (message) => ({ ...message, parts: [{ text: 'Hello!' }] }));
const partRefused = refusedAs('InvalidParams', 'InvalidRequest', 'ContentTypeNotSupported');

// In our words (1.0, 4.1.6 Part): A part whose only content is one that the version does not know is refused.
export const partKindUnknown = check('message/part-kind-unknown', 'send.part-kind-checked')
  .when('the client sends a part of the kind hologram', ({ use }) => use(hologram))
  .expects('refuse it as InvalidParams or ContentTypeNotSupported', partRefused)
  .butAccepts('a text part', sendPlain)
  .advice(
    'Answer -32602 or -32005 for a kind or a content that you do not know: a part that is left out is lost without a word.',
  );

// In our words (0.3, 6.5 Part Union Type): A part whose `kind` is missing is refused.
export const partKindRequired = check('message/part-kind-required', 'send.part-kind-required')
  .when('the client sends a part without kind', ({ use }) => use(noPartKind))
  .expects('refuse it as InvalidParams or ContentTypeNotSupported', partRefused)
  .butAccepts('a text part', sendPlain)
  .advice(
    'Check kind (XPR: type) of each part, and answer -32602 where it is missing: do not guess it from the other members.',
  );

const noContent = broken('a part without content', (message) => ({
  ...message,
  parts: [...message.parts, {}],
}));

// In our words (1.0, 4.1.6 Part): A part without any content is refused.
export const partContentRequired = check('message/part-content-required', 'send.part-content-required')
  .when('the client sends a part without content', ({ use }) => use(noContent))
  .expects('refuse it as InvalidParams or ContentTypeNotSupported', partRefused)
  .butAccepts('a text part', sendPlain)
  .advice('Check that each part has one of text, raw, url and data, and answer -32602: do not leave such parts out.');

const twoContents = broken('a part with two contents', (message) => ({
  ...message,
  parts: [...message.parts, { kind: 'text', text: 'Hello!', uri: 'https://example.com/' }],
}));

// In our words (1.0, 4.1.6 Part): A part with two contents is refused.
export const twoContentsRefused = check('message/part-two-contents', 'send.part-two-contents')
  .when('the client sends a part with a text and a url', ({ use }) => use(twoContents))
  .expects('refuse it as InvalidParams or ContentTypeNotSupported', partRefused)
  .butAccepts('a text part', sendPlain)
  .advice('The contents of a part are a oneof: a parser of ProtoJSON refuses two of them by itself.');

/** The error names the parameter in its text, or carries a google.rpc.BadRequest with any field violation. */
function namesParts(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind !== 'refusal' || (outcome.error !== 'InvalidParams' && outcome.error !== 'InvalidRequest')) {
    return inconclusive(`the agent did not refuse the message as invalid: ${describe(outcome)}`);
  }
  const details = Array.isArray(outcome.data) ? outcome.data : [];
  const violations = details.map((detail) => member(detail, 'fieldViolations'));
  const named = violations.some((found) => Array.isArray(found) && found.length > 0);
  return named || /parts/i.test(outcome.message)
    ? undefined
    : `nothing says which parameter is wrong: ${describe(outcome)}`;
}

// In our words (1.0, 3.3.2 Error Handling): Validation errors name the offending parameter.
export const namesParameter = check('message/error-names-parameter', 'err.names-parameter')
  .when('the client sends a message without parts', ({ use }) => use(noParts))
  .expects('name the wrong parameter', namesParts)
  .advice('Add a google.rpc.BadRequest with fieldViolations to error.data, or name the field in error.message.');
