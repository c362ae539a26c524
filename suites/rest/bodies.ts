import {
  accepted,
  check,
  describe,
  early,
  endedTask,
  inconclusive,
  isObject,
  type Judgement,
  member,
  type NativeRequest,
  type Outcome,
  type Scene,
  stringMember,
} from '../../src/kit/index.js';
import { ask, plainCall, sameAs, telling, wellFormed } from '../rpc/calls.js';
import { refusedCleanly, statusOf, withBody } from './calls.js';

// A2A 1.0 §11.1 Protocol Requirements, §11.6 Error Handling, §3.3.2 Error Handling; 0.3 §3.2.3.

const malformed = { invalid: true } as const;

const sending = (scene: Scene, native: (request: NativeRequest) => NativeRequest): Promise<Outcome<unknown>> =>
  scene.client.call('send', { message: scene.say(), configuration: early(scene) }, { ...malformed, native });

/** 400; another 4xx is another reading of the same, so nothing is shown. */
function badRequest(outcome: Outcome<unknown>): Judgement {
  const other = refusedCleanly(outcome);
  if (other !== undefined) return other;
  const status = statusOf(outcome);
  return status === 400 || status === 422
    ? undefined
    : inconclusive(`the agent refused the request with HTTP ${status}, not with 400`);
}

// In our words (1.0, 3.3.2 Error Handling): Malformed JSON and invalid fields give 400.
// In our words (0.3, 3.2.3 HTTP+JSON/REST Transport): Malformed JSON is a 4xx.
export const malformedJson = check('rest/malformed-json', 'rest.malformed', 'rest.malformed-json')
  .when('the client sends a message as JSON that ends too early', (scene) =>
    sending(scene, withBody('{"message": {"messageId": "')),
  )
  .expects('refuse it with 400', badRequest)
  .butAccepts('a well-formed call', wellFormed)
  .advice('Frameworks answer broken JSON themselves, some with 500: catch that and answer 400.');

// In our words (1.0, 3.3.2 Error Handling): Malformed JSON and invalid fields give 400.
// In our words (0.3, 3.2.3 HTTP+JSON/REST Transport): Invalid input maps to a 4xx status, normally 400.
export const missingMessage = check('rest/missing-message', 'rest.malformed', 'rest.invalid-fields')
  .when('the client sends a body without message', (scene) => sending(scene, withBody('{}')))
  .expects('refuse it with 400', badRequest)
  .butAccepts('a well-formed call', wellFormed)
  .advice(
    'Check that there is a message before you read its members, and answer 400: what is thrown there becomes 500.',
  );

const notObjects = ['[]', 'null', '1', '"x"', ''];

// In our words (1.0, 11.6 Error Handling): Bodies that are not objects are refused.
export const notAnObject = check('rest/not-an-object', 'rest.not-an-object')
  .when('the client sends bodies that are not a JSON object', async (scene) => {
    const [first = '', ...rest] = notObjects;
    const seen: Outcome<unknown>[] = [];
    for (const body of rest) seen.push(await sending(scene, withBody(body)));
    return telling([await sending(scene, withBody(first)), ...seen], refusedCleanly);
  })
  .expects('refuse each of them', refusedCleanly)
  .butAccepts('a well-formed call', wellFormed)
  .advice('Check that the parsed body is an object before you read its members, and answer 400.');

/** Members of a message with a type that they do not have. */
const wrongMembers: readonly Record<string, unknown>[] = [{ parts: {} }, { metadata: [] }, { contextId: {} }];

// In our words (1.0, 11.6 Error Handling): Wrong types are refused.
export const wrongTypes = check('rest/wrong-types', 'rest.wrong-types')
  .when('the client sends messages with members of wrong types', async (scene) => {
    const broken = (members: Record<string, unknown>) =>
      sending(scene, (request) => {
        const sent: unknown = JSON.parse(new TextDecoder().decode(request.body));
        const message = member(sent, 'message');
        const changed = isObject(sent) && isObject(message) ? { ...sent, message: { ...message, ...members } } : sent;
        return withBody(JSON.stringify(changed))(request);
      });
    const [first = {}, ...rest] = wrongMembers;
    const seen: Outcome<unknown>[] = [];
    for (const members of rest) seen.push(await broken(members));
    return telling([await broken(first), ...seen], refusedCleanly);
  })
  .expects('refuse each of them', refusedCleanly)
  .butAccepts('a well-formed call', wellFormed)
  .advice('Check the type of each member before you use it, and answer 400: go through parts only if they are a list.');

/** A well-formed message under another content type. */
const typed = (scene: Scene, contentType: string) =>
  scene.client.call(
    'send',
    { message: scene.say(), configuration: early(scene) },
    { native: (request) => ({ ...request, contentType }), headers: [['content-type', contentType]] },
  );

// In our words (1.0, 11.1 Protocol Requirements): Requests with application/a2a+json and with application/json are
//   accepted.
export const requestTypes = check('rest/request-types', 'rest.request-types')
  .when('the client sends a message as application/a2a+json', (scene) => typed(scene, 'application/a2a+json'))
  .expects('accept it', accepted)
  .advice('1.0.1 asks clients for application/a2a+json, earlier texts for application/json: take both.');

// In our words (1.0, 11.1 Protocol Requirements): Media type parameters are accepted.
export const typeParameters = check('rest/type-parameters', 'rest.type-parameters')
  .when('the client names the charset in the content type', (scene) => typed(scene, 'application/json; charset=utf-8'))
  .expects('accept it', accepted)
  .advice('Compare the media type only: parameters follow after a semicolon.');

// In our words (1.0, 11.1 Protocol Requirements): A body of another media type may be refused or processed.
export const otherMediaType = check('rest/other-media-type', 'rest.other-media-type')
  .when('the client sends a message as text/plain', (scene) =>
    scene.client.call(
      'send',
      { message: scene.say(), configuration: early(scene) },
      { ...malformed, headers: [['content-type', 'text/plain']] },
    ),
  )
  .expects('answer or refuse it', (outcome) => (outcome.kind === 'result' ? undefined : refusedCleanly(outcome)))
  .advice('Answer 415, or read the body all the same: a body that was not parsed must not end in 500.');

// In our words (1.0, 11.5 Query Parameters): Accept of any usual client is honoured.
export const accepts = check('rest/accept', 'rest.accept')
  .given('plain', plainCall)
  .when('the client asks for any media type, for application/json, and for application/a2a+json', async (scene) => {
    const [any, json, a2a] = [
      await ask(scene, { headers: [['accept', '*/*']] }),
      await ask(scene, { headers: [['accept', 'application/json']] }),
      await ask(scene, { headers: [['accept', 'application/a2a+json']] }),
    ];
    return telling([any, json, a2a], (outcome) => sameAs(scene.plain, outcome));
  })
  .expects('answer each alike', (outcome, { plain }) => sameAs(plain, outcome))
  .advice('Do not compare Accept as a text: */* and lists with q values are usual. Send JSON where nothing fits.');

// In our words (1.0, 11.6 Error Handling): Validation errors use google.rpc.BadRequest.
/** §11.6: a well-known type attaches structured data to a validation error. */
export const badRequestDetail = check('rest/bad-request', 'rest.bad-request')
  .when('the client sends a body without message', (scene) => sending(scene, withBody('{}')))
  .expects('name the fault in a google.rpc.BadRequest or an ErrorInfo', (outcome) => {
    if (outcome.kind !== 'refusal') return inconclusive(`the agent did not refuse the request: ${describe(outcome)}`);
    const details: readonly unknown[] = Array.isArray(outcome.data) ? outcome.data : [];
    const found = details.find(
      (detail) => stringMember(detail, '@type') === 'type.googleapis.com/google.rpc.BadRequest',
    );
    const fields = member(found, 'fieldViolations');
    const hasInfo = details.some(
      (detail) => stringMember(detail, '@type') === 'type.googleapis.com/google.rpc.ErrorInfo',
    );
    return hasInfo || (Array.isArray(fields) && fields.length > 0)
      ? undefined
      : `it has no BadRequest: ${describe(outcome)}`;
  })
  .advice(
    'Add {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{"field": "message", "description": "…"}]} to error.details.',
  );

const given = (body: Uint8Array | undefined, contentType: string | undefined): Partial<NativeRequest> => ({
  ...(body === undefined ? {} : { body }),
  ...(contentType === undefined ? {} : { contentType }),
});

// In our words (1.0, 11.3.2 Task Operations): POST /tasks/{id}:cancel cancels.
/** §11.3.2: the id stands in the path, so nothing is left for the body. */
export const cancelBodies = check('rest/cancel-bodies', 'rest.cancel-bodies')
  .given('task', endedTask)
  .when('the client cancels an ended task without a body, and with {}', async ({ client, task }) => {
    // A tenant stands in the body, so there it cannot be left out.
    const bare = ({ body, contentType, ...request }: NativeRequest): NativeRequest =>
      new TextDecoder().decode(body) === '{}' ? request : { ...request, ...given(body, contentType) };
    const empty = await client.call('cancel', { id: task.id }, { native: bare });
    const object = await client.call('cancel', { id: task.id });
    return { empty, object };
  })
  .expects('accept both bodies', ({ empty, object }) => {
    const odd = [empty, object].find((outcome) => {
      if (outcome.kind !== 'refusal') return outcome.kind !== 'result';
      return outcome.error === undefined
        ? outcome.byStatus?.includes('InvalidParams') === true && outcome.fits?.includes('TaskNotCancelable') !== true
        : ['InvalidParams', 'InvalidRequest', 'ParseError', 'MethodNotFound'].includes(outcome.error);
    });
    if (odd === undefined) return undefined;
    return odd.kind === 'refusal' || odd.kind === 'invalid-response' ? describe(odd) : accepted(odd);
  })
  .advice('Read the body of :cancel only if there is one: nothing in it is required.');

// In our words (0.3, 3.2.3 HTTP+JSON/REST Transport): The text of a message reaches the agent in the proto spelling.
/** AMB03-15: an agent that reads another spelling of 0.3 takes a message without its text. */
export const textArrives = check('rest/text-arrives', 'rest.text-arrives')
  .when('the client sends a message and reads its task', async (scene) => {
    const message = scene.say();
    const sent = await scene.client.call('send', { message, configuration: early(scene) });
    if (sent.kind !== 'result' || sent.value.type !== 'task') return { message, sent, shown: undefined };
    const read = await scene.client.call('get', { id: sent.value.task.id });
    const history = (read.kind === 'result' ? read.value.history : undefined) ?? sent.value.task.history ?? [];
    return { message, sent, shown: history.find(({ messageId }) => messageId === message.messageId) };
  })
  .expects('show the text in its history', ({ message, sent, shown }): Judgement => {
    if (sent.kind !== 'result') return inconclusive(`the agent did not accept the message: ${describe(sent)}`);
    if (shown === undefined) return inconclusive('the agent shows no history with the message');
    return shown.parts.length >= message.parts.length
      ? undefined
      : `the message had ${message.parts.length} parts, the history shows ${shown.parts.length}`;
  })
  .advice('Read the spelling of the proto, content and ROLE_USER, or that of the schema, parts and user.');
