import {
  brief,
  check,
  codeIs,
  describe,
  early,
  header,
  inconclusive,
  type Judgement,
  law,
  type Outcome,
  outcomeOf,
  refused,
  type Scene,
  source,
} from '../../src/kit/index.js';
import { showing, wellFormed } from '../rpc/calls.js';
import { isJudged } from '../rpc/responses.js';
import { isGone } from '../task/answers.js';

// A2A 1.0 §3.6 Versioning: the header A2A-Version, Major.Minor, or a parameter of that name.

const name = 'A2A-Version';
const under = (version: string) => ({ headers: [[name, version]] as const });

/** Calls under another version: an agent that ignores the version answers with a result. */
const callUnder = (about: string, version: string) =>
  source(about, (scene: Scene) => showing(scene, { ...under(version), invalid: true }));

// In our words (1.0, 3.6.2 Server Responsibilities): A request with A2A-Version 1.0 is processed as 1.0.
export const accepted = law(
  'version/accepted',
  'ver.accepted',
  'not refuse the version that the card declares',
  {
    subject: 'the agent',
    otherwise: 'the agent answered no call',
    advice: 'Compare Major.Minor of the A2A-Version header with what you serve.',
  },
  (reading, target) => {
    const { outcome, valid, exchange } = reading;
    if (!isJudged(reading, target) || !valid) return 'not-concerned';
    const said = header(exchange.request.headers, name);
    // Another sentence is about patch numbers.
    if (said === undefined || !/^\d+\.\d+$/.test(said)) return 'not-concerned';
    if (outcome.kind === 'result') return 'holds';
    if (outcome.kind !== 'refusal' || !outcome.inForm) return 'not-concerned';
    return outcome.error === 'VersionNotSupported' ? describe(outcome) : 'holds';
  },
);

const unheardOf = callUnder('an unknown version', '99.0');

/** If each method reads the version by itself, sending is the most important one. */
const sentUnheardOf = source('a message in an unknown version', async (scene: Scene) => {
  const params = { message: scene.say(), configuration: early(scene) };
  return scene.client.call('send', params, { ...under('99.0'), invalid: true });
});

const streamedUnheardOf = source('a streamed message in an unknown version', async ({ client, say, card }) =>
  card.capabilities.streaming
    ? outcomeOf(await client.open('stream', { message: say() }, { ...under('99.0'), invalid: true }))
    : undefined,
);

const oldVersion = callUnder('a version of other methods', '0.3');

/**
 * The previous version, where the card does not declare it. Its methods have other names, so no answer of 1.0 is right.
 */
const undeclared = source('a version that the card does not declare', async (scene: Scene) => {
  const { interfaces, protocolVersion } = scene.card;
  const declared = [protocolVersion, ...interfaces.map(({ version }) => version)];
  return declared.some((version) => version?.startsWith('0.')) ? undefined : scene.use(oldVersion);
});

// In our words (1.0, 3.6.2 Server Responsibilities): A request with an unsupported A2A-Version is refused.
export const unsupportedRefused = check('version/unsupported-refused', 'ver.unsupported-refused')
  .given('outcome', unheardOf)
  .given('sent', sentUnheardOf)
  .given('streamed', streamedUnheardOf)
  .given('old', undeclared)
  .when(
    'the client calls, sends and streams under an undeclared version',
    async ({ outcome, sent, streamed, old }): Promise<Outcome<unknown>> =>
      [sent, streamed, old].find((seen) => seen?.kind === 'result') ?? outcome,
  )
  .expects('refuse each call', refused)
  .butAccepts('the same call under the right version', wellFormed)
  .advice('A client of another version would misread the answer: refuse the call with -32009.');

// In our words (1.0, 3.6.2 Server Responsibilities): The error for an unsupported version is VersionNotSupportedError.
export const unsupportedCode = check('version/unsupported-code', 'ver.unsupported-code')
  .given('outcome', unheardOf)
  .when('the client calls with A2A-Version: 99.0', async ({ outcome }) => outcome)
  .expects('refuse the call as VersionNotSupported', codeIs('VersionNotSupported'))
  .butAccepts('the same call under the right version', wellFormed)
  .advice(
    'Compare A2A-Version before the method is looked at, and answer -32009 (reason VERSION_NOT_SUPPORTED): only this error makes the client change the version.',
  );

// In our words (1.0, 3.3.2 Error Handling): VersionNotSupportedError tells which versions are supported.
export const namesSupported = check('version/names-supported', 'ver.names-supported')
  .given('outcome', unheardOf)
  .when('the client calls with A2A-Version: 99.0', async ({ outcome }) => outcome)
  .expects('name the supported versions', (outcome): Judgement => {
    if (outcome.kind !== 'refusal') return inconclusive(`the agent did not refuse the call: ${describe(outcome)}`);
    const said = `${outcome.message} ${JSON.stringify(outcome.data ?? '')}`.replaceAll(/\b99(\.0)?\b/g, '');
    return /\b\d+\.\d+\b/.test(said) ? undefined : `no version is named: ${brief(outcome.message)}`;
  })
  .advice('Say in error.message, or in the metadata of the ErrorInfo, which versions you serve.');

// In our words (1.0, 3.6.2 Server Responsibilities): A malformed A2A-Version is refused.
export const malformedRefused = check('version/malformed-refused', 'ver.malformed-refused')
  .given('outcome', callUnder('a malformed version', 'abc'))
  .when('the client calls with A2A-Version: abc', async ({ outcome }) => outcome)
  .expects('refuse the call', refused)
  .butAccepts('the same call under the right version', wellFormed)
  .advice(
    'Read A2A-Version as Major.Minor, and answer VersionNotSupported (-32009) to all else: do not fall back to a default.',
  );

const withoutHeader = source('a call without A2A-Version', (scene: Scene) =>
  showing(scene, { without: [name], invalid: true }),
);

// In our words (1.0, 3.6.2 Server Responsibilities): A missing or empty A2A-Version means 0.3.
export const missingHeader = check('version/missing-header', 'ver.missing-header')
  .given('missing', withoutHeader)
  .given('empty', callUnder('a call with an empty A2A-Version', ''))
  .when(
    'the client calls a method of 1.0 without A2A-Version, and with an empty one',
    async ({ missing, empty }): Promise<Outcome<unknown>> => (empty.kind === 'result' ? empty : missing),
  )
  // AMB10-09: no header means 0.3, where the method does not exist; an agent without 0.3 refuses the version.
  .expects(
    'not answer as in 1.0',
    (outcome): Judgement => (outcome.kind === 'result' ? 'the agent took it for a call of 1.0' : refused(outcome)),
  )
  .butAccepts('the same call with the header', wellFormed)
  .advice('Take a call without A2A-Version for one of 0.3: refuse it with -32009, or answer as in 0.3.');

const likeUsual = (outcome: Outcome<unknown>): Judgement => {
  if (outcome.kind === 'refusal') return describe(outcome);
  return outcome.kind === 'result' ? undefined : refused(outcome);
};

// In our words (1.0, 3.6 Versioning): Patch numbers in A2A-Version are ignored.
export const patchIgnored = check('version/patch-ignored', 'ver.patch-ignored')
  .when('the client calls with A2A-Version: 1.0.1', async (scene) => {
    const plain = await wellFormed(scene);
    const outcome = await showing(scene, under('1.0.1'));
    // An ended task may have been purged since the plain call (§3.3.2).
    return { outcome, usual: isGone(outcome) ? await showing(scene, {}) : plain };
  })
  .expects('answer as to 1.0', ({ outcome, usual }) =>
    usual.kind === 'result'
      ? likeUsual(outcome)
      : inconclusive(`the agent did not answer the plain call: ${describe(usual)}`),
  )
  .advice('Patch numbers change nothing on the wire: compare Major.Minor only.');
