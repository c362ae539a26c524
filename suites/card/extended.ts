import {
  accepted,
  brief,
  check,
  codeIs,
  describe,
  firstAnswer,
  giveCredentials,
  inconclusive,
  isObject,
  type Judgement,
  lacksOperation,
  law,
  NotApplicable,
  type Outcome,
  placesOf,
  refused,
  type Scene,
  sendQuick,
  source,
} from '../../src/kit/index.js';
import { noCardAt } from '../shared/declared.js';

// A2A 0.3 §7.10 agent/getAuthenticatedExtendedCard, §6.11.1 params may be left out; 1.0 §3.1.11, §3.3.4.

/** With the configured credentials, and without params, like the example of 1.0 §9.4.8. In 0.3 the method has none. */
const withoutParams = source('an extended card that the card declares', (scene) =>
  // A required tenant is named in params (1.0 §8.3.2), which are then kept.
  scene.client.call(
    'extendedCard',
    {},
    {
      envelope: ({ params, ...request }) => (Object.keys(Object(params)).length > 0 ? { ...request, params } : request),
    },
  ),
);
/** The same request with `params: {}`, as some clients always write it. */
const withEmptyParams = source('an extended card that the card declares', ({ client }) =>
  client.call('extendedCard', {}, { envelope: (request) => ({ params: {}, ...request }) }),
);

/** The card by either request. Refusals of only one of the two are judged by other checks. */
const extendedCard = source('an extended card that the card declares', async ({ use }) => {
  const bare = await use(withoutParams);
  if (bare.kind === 'result' || bare.kind === 'denied') return bare;
  const other = await use(withEmptyParams);
  return other.kind === 'result' ? other : bare;
});

// In our words (1.0, 3.1.11 Get Extended Agent Card): With extendedAgentCard true, GetExtendedAgentCard returns an
//   AgentCard to an authenticated caller.
export const returned = check('card/extended-returned', 'card.extended-returned')
  .given('answer', extendedCard)
  .when('the client fetches the extended card with credentials', async ({ answer }) => answer)
  .expects('return a card', async (answer, { client, uuid }) => {
    if (answer.kind === 'result') {
      const { wire } = answer;
      const isCard = isObject(wire) && ['name', 'capabilities'].every((name) => Object.hasOwn(wire, name));
      return isCard ? undefined : `the result is not a card: ${brief(wire)}`;
    }
    if (answer.kind !== 'refusal') return accepted(answer);
    // AMB03-14: §11.1.3 gives the method another name. An agent that knows neither name has no extended card, whatever
    // the card says.
    if (lacksOperation(answer)) {
      const id = `tck-${uuid()}`;
      const other = await client.rpc({ jsonrpc: '2.0', id, method: 'agent/authenticatedExtendedCard' }, { id });
      const isUnnamed = other.kind === 'not-sent' && other.isInexpressible === true;
      if (lacksOperation(other) || isUnnamed) {
        return 'the card declares an extended card, and the method exists under neither of its names';
      }
    }
    return inconclusive(`the agent refused the request, perhaps because of missing credentials: ${describe(answer)}`);
  })
  .advice(
    'Serve the extended card, or declare none: supportsAuthenticatedExtendedCard before 1.0, capabilities.extendedAgentCard since.',
  );

/** Only where the other request is accepted is the refusal about params: it may be for want of credentials. */
const alsoAccepted = (answer: Outcome<unknown>, other: Outcome<unknown>): Judgement =>
  answer.kind === 'result' || other.kind === 'result'
    ? accepted(answer)
    : inconclusive(`${giveCredentials()}: the agent refuses the request with params and without: ${describe(answer)}`);

// In our words (1.0, 9.4.8 GetExtendedAgentCard): `params` may be left out for GetExtendedAgentCard.
export const paramsOmitted = check('card/extended-without-params', 'rpc.params-omitted')
  .given('answer', withoutParams)
  .when('the client fetches the extended card without params', async ({ answer }) => answer)
  .expects('not refuse the request because they are missing', async (answer, { use }) =>
    alsoAccepted(answer, await use(withEmptyParams)),
  )
  .advice('The method has no parameters, so a request for it need have no params: what is left out is not broken.');

// In our words (1.0, 3.1.11 Get Extended Agent Card): GetExtendedAgentCard takes an empty object as `params`: no member
//   of its request is required.
export const paramsEmpty = check('card/extended-empty-params', 'rpc.params-empty')
  .given('answer', withEmptyParams)
  .when('the client fetches the extended card with the params {}', async ({ answer }) => answer)
  .expects('not refuse the request for them', async (answer, { use }) => alsoAccepted(answer, await use(withoutParams)))
  .advice('Many clients send {} to a method that takes nothing: treat empty params like none.');

/** Keys of the card's schema that are only recommendations. */
const mild = new Set([
  'card.preferred-transport',
  'card.modes-are-media-types',
  'card.protocol-version-line',
  'card.custom-binding-uri',
  'card.protocol-version-no-patch',
  'card.single-flow',
  'card.deprecated-flows',
  'card.no-old-members',
  'ext.uri',
  'data.no-nulls',
  'unruled',
]);

// In our words (1.0, 4.4.1 AgentCard): The extended card meets the same structural rules as the public card.
export const structure = law(
  'card/extended-structure',
  'card.extended-structure',
  'have the structure of the public one',
  {
    subject: 'the extended card',
    otherwise: `${giveCredentials()}: no extended card came`,
    advice:
      'Make the extended card by the code of the public one, and add to it: it needs every member that the public card needs.',
  },
  ({ documents }) => {
    const found = documents.find((document) => document.of === 'extended-card');
    if (found === undefined) return 'not-concerned';
    const broken = found.inspection.findings.filter(({ rule }) => !mild.has(rule));
    return broken.length === 0 ? 'holds' : placesOf(found.name, broken);
  },
);

const undeclared = source('an undeclared extended card', ({ client }) => client.call('extendedCard', {}));

/** Control: an agent that refuses every request shows nothing by refusing this one. */
const speaks = async (scene: Scene) => {
  const reply = await scene.use(firstAnswer);
  return reply.type === 'task' ? scene.client.call('get', { id: reply.task.id }) : sendQuick(scene, scene.say());
};

// In our words (1.0, 3.3.4 Capability Validation): Without extendedAgentCard, GetExtendedAgentCard is refused.
export const unsupported = check('card/extended-unsupported', 'card.extended-unsupported')
  .when('the client fetches an extended card that the card does not declare', async ({ use, target }) => ({
    outcome: await use(undeclared),
    known: target.cardDocument !== undefined,
  }))
  .expects('refuse the request', ({ outcome, known }, { target }) => {
    if (!known) return inconclusive(noCardAt(target));
    // AMB03-14: any refusal passes, also one for want of credentials, since no card came.
    return outcome.kind === 'denied' ? undefined : refused(outcome);
  })
  .butAccepts('another request', speaks)
  .advice('Refuse the request (-32004 in 1.0, -32007 in 0.3), or declare the extended card.');

// In our words (1.0, 3.3.4 Capability Validation): That refusal uses UnsupportedOperationError.
export const unsupportedCode = check('card/extended-unsupported-code', 'card.extended-unsupported-code')
  .when('the client fetches an extended card that the card does not declare', async ({ use, target }) => ({
    outcome: await use(undeclared),
    known: target.cardDocument !== undefined,
  }))
  .expects('refuse the request as UnsupportedOperation', ({ outcome, known }, { target }) =>
    known ? codeIs('UnsupportedOperation')(outcome) : inconclusive(noCardAt(target)),
  )
  .butAccepts('another request', speaks)
  .advice(
    'The method exists although the card does not declare it: answer -32004 (reason UNSUPPORTED_OPERATION), not -32601 or -32007.',
  );

/** Errors that do not mention credentials and that an agent with this operation cannot mean. */
const mistaken: ReadonlySet<string | undefined> = new Set([
  'UnsupportedOperation',
  'TaskNotFound',
  'PushNotificationNotSupported',
  'InvalidAgentResponse',
]);

// In our words (1.0, 3.3.4 Capability Validation): A declared but unconfigured extended card is refused with
//   ExtendedAgentCardNotConfiguredError.
export const notConfigured = check('card/extended-not-configured', 'card.extended-not-configured')
  .given('answer', extendedCard)
  .when('the client fetches an extended card that is declared and not configured', async ({ answer }) => answer)
  .expects('refuse the request as ExtendedCardNotConfigured', (answer) => {
    if (answer.kind === 'result') throw new NotApplicable('the agent has an extended card');
    if (answer.kind !== 'refusal') return codeIs('ExtendedCardNotConfigured')(answer);
    if (answer.error === 'ExtendedCardNotConfigured') return undefined;
    return mistaken.has(answer.error)
      ? describe(answer)
      : inconclusive(`the refusal may be about missing credentials: ${describe(answer)}`);
  })
  .advice(
    'Answer with ExtendedAgentCardNotConfigured (-32007) where the card is missing. Or configure one, or set extendedAgentCard to false.',
  );
