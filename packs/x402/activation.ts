import {
  check,
  describe,
  header,
  inconclusive,
  type Judgement,
  PreconditionUnmet,
  type Scene,
  source,
} from '../../src/kit/index.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';

// Who must activate the extension, and how. a2a-x402 v0.1 §3.1, §7; v0.2 §8; x402 A2A transport, Client Extension
// Activation.

const names = x402Text.extensionHeaders;

/** Sends with exactly these extension headers, without those of the run. */
const askWith = (scene: Scene, headers: readonly (readonly [name: string, value: string])[]): Promise<x402.Asked> =>
  x402.ask(scene, { call: { without: names, headers } });

/** The same entries under both header names, since an agent may know only one. */
const both = (value: string) => names.map((name) => [name, value] as const);

/** The URIs that the card declares; the kit activates them. */
function declared({ card }: Scene): readonly string[] {
  const uris = card.capabilities.extensions.map(({ uri }) => uri).filter(x402Text.isX402Extension);
  return [...new Set(uris)];
}

/** Shared: a request with the extension activated, for which the agent asked for payment. */
const activated = source('an offer to a client that activates the extension', async (scene) => {
  const asked = await scene.use(x402.asked);
  if (asked.task !== undefined && x402.statusOf(asked.task) === 'payment-required') return asked;
  const seen = asked.task === undefined ? describe(asked.outcome) : x402.standingOf(asked.task);
  throw new PreconditionUnmet(`the agent asks for nothing with the extension either (${seen})`, asked.exhibit);
});

/** Shared: the same request without the extension. */
const bare = source('the same request without the extension', (scene) => askWith(scene, []));

const deepest = 16;

/** The first payment key anywhere in a value. */
function keyIn(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth > deepest) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && name.startsWith('x402.')) return name;
    const found = keyIn(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first payment key in the answer or in any later state of the task. */
const paymentIn = ({ outcome, seen }: x402.Asked): string | undefined =>
  outcome.kind === 'result' ? keyIn([outcome.wire, ...seen]) : undefined;

/** The URIs that the answer names as active, under either header name. */
const echoIn = ({ exhibit }: x402.Asked): readonly string[] =>
  names.flatMap((name) => x402Text.headerEntries(exhibit?.response && header(exhibit.response.headers, name)));

/** Whether the agent answered; 'refused' also covers HTTP denials. */
function standing({ outcome }: x402.Asked): 'refused' | 'answered' | Judgement {
  if (outcome.kind === 'refusal' || outcome.kind === 'denied') return 'refused';
  return outcome.kind === 'result' ? 'answered' : inconclusive(describe(outcome));
}

// In our words (x402, a2a-x402 v0.1, 3.1; a2a-x402 v0.2, 3.1; x402 A2A transport, Client Extension Activation): An
//   agent that requires the extension refuses clients that did not activate it.
export const required = check('x402/activation-required', 'x402.activation-required')
  .given('offer', activated)
  .when('the client does not activate the extension', (scene) => scene.use(bare))
  .expects('refuse the request', (asked): Judgement => {
    const answer = standing(asked);
    if (answer !== 'answered') return answer === 'refused' ? undefined : answer;
    const key = paymentIn(asked);
    if (key !== undefined) return `it is asked to pay: the answer has ${key}`;
    const { task } = asked;
    if (task === undefined)
      return inconclusive('the agent answered with a message, which may be a refusal or the work');
    if ((task.artifacts ?? []).length > 0) return 'the work is done for free: an artifact came';
    const { state } = task.status;
    if (state === 'failed' || state === 'rejected' || state === 'canceled') return undefined;
    return inconclusive(`the task is ${state}, which may be a refusal or the work`);
  })
  .advice('Refuse calls that do not name the extension in the header: a client that sends them cannot pay.');

// In our words (x402, a2a-x402 v0.1, 7; a2a-x402 v0.2, 8): An agent that does not require the extension sends no
//   payment metadata to clients that did not activate it.
export const optional = check('x402/activation-optional', 'x402.activation-optional')
  .given('offer', activated)
  .when('the client does not activate the extension', (scene) => scene.use(bare))
  .expects('answer without metadata of payments', (asked): Judgement => {
    const answer = standing(asked);
    if (answer !== 'answered') return answer === 'refused' ? undefined : answer;
    const key = paymentIn(asked);
    return key === undefined ? undefined : `the answer has ${key}`;
  })
  .advice(
    'Look for the extension in the header of the request before you ask to be paid: other clients do not know these metadata.',
  );

// In our words (x402, a2a-x402 v0.1, 7): The activated URI comes back in the extensions header of the answer.
export const echoed = check('x402/activation-echoed', 'x402.activation-echoed')
  .when('the client activates the extension', (scene) => scene.use(x402.asked))
  .expects('confirm the activation in the header of the answer', (asked, scene): Judgement => {
    if (asked.outcome.kind !== 'result')
      return inconclusive(`the agent did not accept the request: ${describe(asked.outcome)}`);
    const echo = echoIn(asked);
    const uris = declared(scene);
    if (uris.some((uri) => echo.includes(uri))) return undefined;
    return `no header of the answer names ${uris.join(' or ')}${echo.length > 0 ? `, but ${echo.join(', ')}` : ''}`;
  })
  .advice('Name the URI in the header in which the client did.');

/** Equivalent ways to write the header. */
function forms(uris: readonly string[]) {
  const unknown = 'https://extensions.invalid/a2a-tck/unknown/v1';
  const spelled = names.map((name) => name.toLowerCase());
  return [
    { about: 'an unknown URI before it', headers: both([unknown, ...uris].join(', ')) },
    { about: 'no space behind commas, and an unknown URI behind it', headers: both([...uris, unknown].join(',')) },
    { about: 'more spaces', headers: both([...uris, unknown].join(' \t ,  ')) },
    { about: 'the name of the header in lower case', headers: spelled.map((name) => [name, uris.join(', ')] as const) },
  ];
}

// In our words (x402, a2a-x402 v0.1, 7; x402 A2A transport, Client Extension Activation): The header activates the
//   extension also in a list, beside unknown URIs, with other spaces and another case of its name.
export const anyForm = check('x402/activation-header', 'x402.activation-header')
  .given('offer', activated)
  .when('the client activates the extension in a list, or in other letters', async (scene) => {
    const tried: { readonly about: string; readonly asked: x402.Asked }[] = [];
    for (const { about, headers } of forms(declared(scene))) {
      tried.push({ about, asked: await askWith(scene, headers) });
    }
    return tried;
  })
  .expects('ask for payment each time', (tried): Judgement => {
    let open: Judgement;
    for (const { about, asked } of tried) {
      const answer = standing(asked);
      if (answer === 'refused') return `${about}: ${describe(asked.outcome)}`;
      if (answer !== 'answered') open ??= answer;
      else if (asked.task === undefined) return `${about}: a message is the answer, and no payment is asked for`;
      else if (x402.statusOf(asked.task) === 'payment-required') continue;
      else if (!x402.isDecided(asked.task))
        open ??= inconclusive(`${about}: raise --timeout: the task stayed ${x402.standingOf(asked.task)}`);
      else return `${about}: no payment is asked for (${x402.standingOf(asked.task)})`;
    }
    return open;
  })
  .advice('Split the header at commas, trim each entry, and compare it whole; names of headers have no case.');

/** Each URI without its last number, and each with another digit. */
const alike = (uris: readonly string[]) =>
  [
    { about: 'the URI without its last number', altered: uris.map((uri) => uri.replace(/\.\d+$/, '')) },
    { about: 'the URI with a digit more', altered: uris.map((uri) => `${uri}0`) },
  ].map(({ about, altered }) => ({ about, headers: both(altered.join(', ')) }));

// In our words (x402, a2a-x402 v0.1, 2, 7; a2a-x402 v0.2, 2, 8): Only the whole URI activates the extension.
export const wholeUri = check('x402/activation-whole-uri', 'x402.activation-whole-uri')
  .given('offer', activated)
  .when('the client names a URI that only resembles the one of the card', async (scene) => {
    const without = await scene.use(bare);
    const tried: { readonly about: string; readonly asked: x402.Asked }[] = [];
    for (const { about, headers } of alike(declared(scene)))
      tried.push({ about, asked: await askWith(scene, headers) });
    return { without, tried };
  })
  .expects('answer as if the client named none', ({ without, tried }, scene): Judgement => {
    if (paymentIn(without) !== undefined)
      return inconclusive('the agent also asks clients to pay that do not name the extension');
    const uris = declared(scene);
    let open: Judgement;
    for (const { about, asked } of tried) {
      const echo = echoIn(asked).find((uri) => uris.includes(uri) && !echoIn(without).includes(uri));
      if (echo !== undefined) return `${about}: ${echo} is called active`;
      const key = paymentIn(asked);
      if (key !== undefined) return `${about}: the answer has ${key}`;
      const answer = standing(asked);
      if (answer !== 'refused' && answer !== 'answered') open ??= answer;
    }
    return open;
  })
  .advice('Compare entries of the header whole: another version is another extension.');
