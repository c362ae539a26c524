import {
  accepted,
  check,
  describe,
  type Exchange,
  firstAnswer,
  isObject,
  law,
  NotClaimed,
  type Outcome,
  unproven,
} from '../../src/kit/index.js';
import { activating, asked, declaredUris, named, requiredUris, withDeclared, withUnknown } from './activation.js';

// A2A 1.0 §3.2.6, §4.6.3, and topics/extensions, which is a guide: only the MUSTs of the specification fail hard.

const exchangeOf = (outcome: Outcome<unknown>): Exchange | undefined =>
  outcome.kind === 'withheld' ? undefined : outcome.exchange;

export const echoed = check('extension/activation-echoed', 'ext.activation-echoed')
  .given('answer', withDeclared)
  .when('the client asks for the declared extensions', async ({ answer }) => answer)
  .expects('name one that is active in the header of the answer', (answer, { card }) => {
    const refusal = accepted(answer);
    if (refusal !== undefined) return unproven(`the message was not accepted: ${describe(answer)}`);
    const exchange = exchangeOf(answer);
    const active = exchange === undefined ? [] : named(exchange);
    return declaredUris(card).some((uri) => active.includes(uri))
      ? undefined
      : `no header of the answer names one of ${declaredUris(card).join(', ')}`;
  })
  .advice(
    'Name the extensions that are active in the header in which the client asked. Those that only inform need none.',
  )
  .killedBy('ext-not-echoed', 'ext-echoed-as-flag');

export const streamEchoed = check('extension/streams-too', 'ext.streams-too')
  .when('the client asks for the declared extensions of a stream', async (scene) => {
    const { client, card } = scene;
    const opened = await client.open('stream', { message: scene.say() }, activating(scene, declaredUris(card)));
    if (opened.kind !== 'stream') return opened;
    opened.close();
    return { kind: 'streamed', exchange: await opened.ended } as const;
  })
  .expects('name one that is active in the header of the answer', (answer, { card }) => {
    if (answer.kind !== 'streamed') return unproven(`no stream came: ${describe(answer)}`);
    const active = named(answer.exchange);
    return declaredUris(card).some((uri) => active.includes(uri))
      ? undefined
      : `no header of the stream names one of ${declaredUris(card).join(', ')}`;
  })
  .killedBy('ext-not-echoed-on-streams');

export const unknownIgnored = check('extension/unknown-ignored', 'ext.unknown-ignored')
  .given('answer', withUnknown)
  .when('the client asks for an extension that nobody has', async ({ answer }) => answer)
  .expects('be accepted', async ({ outcome }, scene) => {
    // Who takes no plain message either shows nothing.
    if (outcome.kind !== 'result') await scene.use(firstAnswer);
    return accepted(outcome);
  })
  .expects('not be told that it is active', ({ outcome, unknown }) => {
    const exchange = exchangeOf(outcome);
    return exchange !== undefined && named(exchange).includes(unknown) ? `${unknown} is named as active` : undefined;
  })
  .advice('Ignore what you do not know, and name only what you activate.')
  .killedBy('ext-unknown-refused', 'ext-header-mirrored');

export const noOtherVersion = check('extension/no-other-version', 'ext.no-other-version')
  .given('answer', withUnknown)
  .when('the client asks for declared extensions in another version', async ({ answer }) => {
    if (answer.replaced.length === 0) throw new NotClaimed('the card declares required extensions only');
    return answer;
  })
  .expects('not activate the declared one instead', ({ outcome, replaced }) => {
    const exchange = exchangeOf(outcome);
    if (exchange?.response === undefined) return unproven(describe(outcome));
    const active = named(exchange);
    const instead = replaced.find((uri) => active.includes(uri));
    if (instead !== undefined) return `${instead} is active, which was not asked for`;
    return outcome.kind === 'result' ? undefined : unproven(`the message was not accepted: ${describe(outcome)}`);
  })
  .killedBy('ext-falls-back', 'ext-always-on');

/** Where metadata of an extension stands: `metadata[uri]`, or a key below it. */
function metadataOf(value: unknown, uri: string, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth > 12) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (name === 'metadata' && isObject(member)) {
      const key = Object.keys(member).find((one) => one === uri || one.startsWith(`${uri}/`));
      if (key !== undefined) return key;
    }
    const inner = metadataOf(member, uri, depth + 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const unlessDeclared = ({ card }: { readonly card: Parameters<typeof declaredUris>[0] }): string | undefined =>
  declaredUris(card).length > 0 ? undefined : 'the card declares no extension';

export const inactive = law(
  'extension/inactive-by-default',
  'ext.inactive-by-default',
  'leave out extensions that were not asked for',
  { otherwise: 'no message without extensions was accepted', unless: unlessDeclared },
  ({ exchange, operation, valid, outcome }, { card }) => {
    if (!valid || (operation !== 'send' && operation !== 'get') || outcome.kind !== 'result') return 'silent';
    const wanted = asked(exchange);
    const others = declaredUris(card).filter((uri) => !wanted.includes(uri));
    if (others.length === 0) return 'silent';
    const active = named(exchange);
    for (const uri of others) {
      if (active.includes(uri)) return `${uri} is named as active`;
      // A task keeps what was put into it when an extension was active.
      const key = operation === 'send' ? metadataOf(outcome.wire, uri) : undefined;
      if (key !== undefined) return `metadata has ${key}`;
    }
    return 'holds';
  },
).killedBy('ext-always-on', 'ext-metadata-always');

/** 0.3 and 1.0, topics/extensions: what breaks the data model with an extension, and only with it. */
export const coreUnchanged = law(
  'extension/core-unchanged',
  'ext.core-unchanged',
  'keep its shape with extensions as it is without',
  { otherwise: 'no result with an active extension came back', unless: unlessDeclared },
  (reading, { card }, tape) => {
    const wanted = asked(reading.exchange).filter((uri) => declaredUris(card).includes(uri));
    const optional = wanted.filter((uri) => !requiredUris(card).includes(uri));
    if (!reading.valid || optional.length === 0 || reading.operation === undefined) return 'silent';
    const own = reading.documents.filter((one) => one.of === 'result');
    const findings = own.flatMap((one) => one.inspection.findings).filter(({ rule }) => rule.startsWith('data.'));
    const plain = tape.filter(
      (one) =>
        one.valid &&
        one.operation === reading.operation &&
        asked(one.exchange).every((uri) => requiredUris(card).includes(uri)),
    );
    for (const { rule, path, message, seen } of findings) {
      // Judged by the checks of the data model where it is wrong without extensions too, or was not seen without them.
      const others = plain.flatMap((one) => one.documents);
      const isOld = others.some(({ inspection }) => inspection.findings.some((one) => one.rule === rule));
      const isKnown = others.some(({ inspection }) => inspection.visited.has(rule));
      if (!isOld && isKnown) return `with ${optional.join(', ')}: result${path} ${message}: ${seen}`;
    }
    return own.length > 0 && plain.some((one) => one.documents.length > 0) ? 'holds' : 'silent';
  },
).killedBy('ext-adds-a-state', 'ext-drops-the-id');
