import {
  accepted,
  canParseUrl,
  check,
  describe,
  type Exchange,
  firstAnswer,
  inconclusive,
  isObject,
  type Judgement,
  law,
  NotApplicable,
  noteOf,
  type Outcome,
  type Scene,
  set,
  source,
} from '../../src/kit/index.js';
import {
  activating,
  asked,
  declaredSet,
  declaredUris,
  named,
  requiredSet,
  requiredUris,
  someOf,
  withDeclared,
  withoutRequired,
  withRequired,
  withUnknown,
} from './activation.js';

// A2A 1.0 §3.2.6, §4.6.3, and topics/extensions, which is only a guide: only a MUST of the specification makes a
// failure.

type Streamed = { readonly kind: 'streamed'; readonly exchange: Exchange };
const exchangeOf = (outcome: Outcome<unknown> | Streamed): Exchange | undefined =>
  outcome.kind === 'not-sent' ? undefined : outcome.exchange;

/** A stream that was opened with all declared extensions, and closed at once. */
const streamWithDeclared = source('a stream with all declared extensions', async (scene) => {
  const { client, card } = scene;
  const opened = await client.open('stream', { message: scene.say() }, activating(scene, declaredUris(card)));
  if (opened.kind !== 'stream') return opened;
  opened.close();
  return { kind: 'streamed', exchange: await opened.ended } as const;
});

/** The declared extensions that the header of the answer names. */
function namedOf(exchange: Exchange | undefined, { card }: Scene): readonly string[] {
  const declared = declaredSet(card);
  return exchange === undefined ? [] : named(exchange).filter((uri) => declared.has(uri));
}

/**
 * Judges the answer to a request for the declared extensions. Data-only extensions are never active, and the agent
 * decides which others are (topics/extensions): naming none is wrong only where `shows` says that an extension was
 * active.
 */
async function judgeNaming(
  exchange: Exchange | undefined,
  scene: Scene,
  shows: () => Promise<string | undefined>,
): Promise<Judgement> {
  if (namedOf(exchange, scene).length > 0) return undefined;
  const odd = exchange && named(exchange).find((text) => !canParseUrl(text));
  if (odd !== undefined) return `the header of the answer names ${odd}, which is not a URI`;
  const why = (await demanded(scene)) ?? (await shows());
  const none = `no header of the answer names one of ${someOf(declaredUris(scene.card))}`;
  return why === undefined ? inconclusive(`${none}, and no answer names an active extension`) : `${none}, and ${why}`;
}

/** An extension that the agent requires is active in every message that it accepts. */
async function demanded(scene: Scene): Promise<string | undefined> {
  const uris = requiredUris(scene.card);
  if (uris.length === 0) return undefined;
  const without = await scene.use(withoutRequired);
  return without.kind === 'refusal' ? `messages without ${someOf(uris)} are refused` : undefined;
}

// In our words (1.0, 3.2.6 Service Parameters (rule from topics/extensions)): Activated extensions are listed in the
//   A2A-Extensions response header.
export const echoed = check('extension/activation-echoed', 'ext.activation-echoed')
  .given('answer', withDeclared)
  .when('the client asks for the declared extensions', async ({ answer }) => answer)
  .expects('name the active ones in the header of the answer', (answer, scene) => {
    if (answer.kind !== 'result') return inconclusive(`the agent did not accept the message: ${describe(answer)}`);
    return judgeNaming(answer.exchange, scene, async () => {
      const key = metadataOf(answer.wire, declaredSet(scene.card));
      if (key !== undefined) return `its metadata has ${key}`;
      if (!scene.card.capabilities.streaming) return undefined;
      const [uri] = namedOf(exchangeOf(await scene.use(streamWithDeclared)), scene);
      return uri && `a stream names ${uri}`;
    });
  })
  .advice(
    'Name the extensions that are active in the header in which the client asked. Those that only inform need none.',
  );

// In our words (0.3, 5.5.2.1 AgentExtension Object (rule from topics/extensions)): The extension header works the same
//   on streaming replies.
export const streamEchoed = check('extension/streams-too', 'ext.streams-too')
  .given('answer', streamWithDeclared)
  .when('the client asks for declared extensions in a stream', async ({ answer }) => answer)
  .expects('name the active ones in the header of the answer', (answer, scene) => {
    if (answer.kind !== 'streamed') return inconclusive(`the agent answered without a stream: ${describe(answer)}`);
    return judgeNaming(answer.exchange, scene, async () => {
      const [uri] = namedOf(exchangeOf(await scene.use(withDeclared)), scene);
      return uri && `that of an answer without a stream names ${uri}`;
    });
  })
  .advice('Write the header of active extensions with the status of the stream too, before its first event.');

// In our words (1.0, 4.6.3 Extension Versioning and Compatibility): Unsupported extension URIs or versions are ignored.
export const unknownIgnored = check('extension/unknown-ignored', 'ext.unknown-ignored')
  .given('answer', withUnknown)
  .when('the client asks for an unknown extension', async ({ answer }) => answer)
  .expects('accept the message', async ({ outcome }, scene) => {
    // An agent that also refuses plain messages shows nothing here.
    if (outcome.kind !== 'result') await scene.use(firstAnswer);
    return accepted(outcome);
  })
  .expects('not name it as active', ({ outcome, unknown }) => {
    const exchange = exchangeOf(outcome);
    return exchange !== undefined && named(exchange).includes(unknown) ? `${unknown} is named as active` : undefined;
  })
  .advice('Ignore what you do not know, and name only what you activate.');

// In our words (1.0, 4.6.3 Extension Versioning and Compatibility): The agent never falls back to another version of an
//   extension.
export const noOtherVersion = check('extension/no-other-version', 'ext.no-other-version')
  .given('answer', withUnknown)
  .when('the client asks for a declared extension in another version', async ({ answer }) => {
    if (answer.replaced.length === 0) throw new NotApplicable('the card declares required extensions only');
    return answer;
  })
  .expects('not activate the declared one instead', async ({ outcome, replaced }, scene) => {
    const exchange = exchangeOf(outcome);
    if (exchange?.response === undefined) return inconclusive(describe(outcome));
    const active = new Set(named(exchange));
    const instead = replaced.find((uri) => active.has(uri));
    if (instead !== undefined)
      return namedOf(exchangeOf(await scene.use(withRequired)), scene).includes(instead)
        ? inconclusive(`the agent names ${instead} also where the client asks for no version of it`)
        : `${instead} is active, which was not asked for`;
    return outcome.kind === 'result'
      ? undefined
      : inconclusive(`the agent did not accept the message: ${describe(outcome)}`);
  })
  .advice('Compare whole URIs: another version is another extension. Activate only what was asked for and is there.');

/** Limits of the search in a metadata key: characters looked at, and slashes tried. */
const longestKey = 1000;
const mostSlashes = 50;

/** The key is one of the URIs, or a path below one. */
function isOfOne(key: string, uris: ReadonlySet<string>): boolean {
  if (uris.has(key)) return true;
  const start = key.slice(0, longestKey);
  let left = mostSlashes;
  for (let at = start.indexOf('/'); at >= 0 && left > 0; at = start.indexOf('/', at + 1)) {
    if (uris.has(start.slice(0, at))) return true;
    left--;
  }
  return false;
}

/** The metadata key of one of the extensions: the URI itself or a path below it, and none of `others`. */
function metadataOf(
  value: unknown,
  uris: ReadonlySet<string>,
  others: ReadonlySet<string> = new Set(),
  depth = 0,
): string | undefined {
  if (typeof value !== 'object' || value === null || depth > 12) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (name === 'metadata' && isObject(member)) {
      const key = Object.keys(member).find((uri) => isOfOne(uri, uris) && !isOfOne(uri, others));
      if (key !== undefined) return key;
    }
    const inner = metadataOf(member, uris, others, depth + 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const unlessDeclared = ({ card }: { readonly card: Parameters<typeof declaredUris>[0] }): string | undefined =>
  declaredUris(card).length > 0 ? undefined : 'the card declares no extension';

// In our words (1.0, 4.6 Extensions (rule from topics/extensions)): Extensions are inactive unless requested.
export const inactive = law(
  'extension/inactive-by-default',
  'ext.inactive-by-default',
  'activate no extension that was not asked for',
  {
    subject: 'the agent',
    otherwise: 'the agent accepted no message without extensions',
    unless: unlessDeclared,
    advice: 'Look at the header of each request before you add anything of an extension, its metadata too.',
  },
  ({ exchange, operation, valid, outcome }, { card }) => {
    if (!valid || (operation !== 'send' && operation !== 'get') || outcome.kind !== 'result') return 'not-concerned';
    const wanted = new Set(asked(exchange));
    const declared = declaredSet(card);
    if (declaredUris(card).every((uri) => wanted.has(uri))) return 'not-concerned';
    const active = named(exchange).find((uri) => declared.has(uri) && !wanted.has(uri));
    if (active !== undefined) return `${active} is named as active`;
    // A task keeps metadata from messages with an active extension. The URI of one extension may begin with that of
    // another.
    const key = operation === 'send' ? metadataOf(outcome.wire, declared, wanted) : undefined;
    return key === undefined ? 'holds' : `metadata has ${key}`;
  },
);

/** What the schemas find in the documents of an answer: the sentences broken, and those judged; undefined: no document. */
const judgedIn = noteOf(({ documents }) => {
  const inspections = documents.map(({ inspection }) => inspection);
  if (inspections.length === 0) return undefined;
  return {
    broken: new Set(inspections.flatMap(({ findings }) => findings.map(({ rule }) => rule))),
    visited: new Set(inspections.flatMap(({ visited }) => [...visited])),
  };
});

// In our words (1.0, 4.6 Extensions (rule from topics/extensions)): Extensions add no enum values and remove no
//   required fields.
/** 0.3 and 1.0, topics/extensions: results that break the data model only when an extension is active. */
export const coreUnchanged = law(
  'extension/core-unchanged',
  'ext.core-unchanged',
  'have the same shape with extensions as without',
  {
    otherwise: 'no result with an active extension came',
    notes: [judgedIn],
    unless: unlessDeclared,
    advice: 'Put what an extension adds into metadata or into data parts: states and required members do not change.',
  },
  (reading, { card }, tape) => {
    const required = requiredSet(card);
    const optional = asked(reading.exchange).filter((uri) => declaredSet(card).has(uri) && !required.has(uri));
    if (!reading.valid || optional.length === 0 || reading.operation === undefined) return 'not-concerned';
    const own = reading.documents.filter((document) => document.of === 'result');
    const findings = own
      .flatMap((document) => document.inspection.findings)
      .filter(({ rule }) => rule.startsWith('data.'));
    const plain = tape.filter(
      (recorded) =>
        recorded.valid &&
        recorded.operation === reading.operation &&
        asked(recorded.exchange).every((uri) => required.has(uri)),
    );
    const others = findings.length === 0 ? [] : plain.flatMap((recorded) => judgedIn(recorded) ?? []);
    const old = new Set<string>(others.flatMap(({ broken }) => [...broken]));
    const known = new Set<string>(others.flatMap(({ visited }) => [...visited]));
    for (const { rule, path, message, seen } of findings) {
      // Left to the checks of the data model where it is also wrong without extensions, or was never seen without them.
      if (!old.has(rule) && known.has(rule)) return `with ${someOf(optional)}: result${path} ${message}: ${seen}`;
    }
    return own.length > 0 && plain.some((recorded) => judgedIn(recorded) !== undefined) ? 'holds' : 'not-concerned';
  },
).mutants(set('status.state', 'tracing'));
