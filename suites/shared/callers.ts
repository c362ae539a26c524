import {
  anyTask,
  aTask,
  brief,
  type Caller,
  type CallOptions,
  type Card,
  declaresSecurity,
  demanded,
  describe,
  early,
  firstOf,
  fresh,
  giveCredentials,
  ifMet,
  inconclusive,
  isInterrupted,
  isTerminal,
  type Judgement,
  NotApplicable,
  type Operation,
  type Outcome,
  PreconditionUnmet,
  type Scene,
  type SendReply,
  type Source,
  source,
  type Task,
} from '../../src/kit/index.js';

// Shared by the files of this chapter: callers, credentials, and how refusals are judged.

/** The reason for checks that need valid credentials and have none. */
export const noCredentials = `${giveCredentials()}: the user gave no credentials`;

/** Prefix of the invalid credentials that the kit makes up. */
export const wrongPrefix = 'tck-wrong-';

/** The alternatives that the card demands of every caller. Throws `NotApplicable` for none. */
export function required(card: Card): ReturnType<typeof demanded> {
  const options = demanded(card);
  if (options.length === 0) throw new NotApplicable('the card demands no credentials');
  return options;
}

/** Sends a message as the given caller, without waiting for the work to end. */
export function sendAs(scene: Scene, credentials: Caller, more: object = {}): Promise<Outcome<SendReply>> {
  const params = { message: { ...scene.say(), ...more }, configuration: early(scene) };
  return scene.client.call('send', params, { credentials });
}

/**
 * A task of the first caller: if possible an open one that waits for the client, so that it does not change by itself.
 */
const findOwn = (scene: Scene): Promise<Task> =>
  firstOf(scene, [aTask('input-required'), aTask('auth-required'), aTask('working'), anyTask]);
export const ownTask: Source<Task> = source('a task of the first caller', findOwn);

/** A fresh task, for checks that may change it: other checks must not see the change. */
export const ownTaskAlone: Source<Task> = fresh(ownTask.about, findOwn);

/** A task of the first caller that is still open. */
export const ownOpenTask: Source<Task> = fresh('an open task of the first caller', async (scene) => {
  const task = await scene.use(ownTaskAlone);
  if (isTerminal(task.status.state))
    throw new PreconditionUnmet('set behaviours.working: no task of the first caller stays open');
  return task;
});
export const waits = (task: Task): boolean => isInterrupted(task.status.state);

/** The id of an existing task, if the kit has credentials to create one; else a random id. */
export async function someTaskId(scene: Scene): Promise<string> {
  const own = scene.client.isSomebody ? await ifMet(scene.use(ownTask)) : undefined;
  return own?.id ?? scene.uuid();
}

/** An operation that should have been refused, and its outcome. */
export interface Attempt {
  readonly op: Operation;
  readonly outcome: Outcome<unknown>;
}

/** Makes the call. A stream is closed as soon as it has begun. */
export async function attempt(scene: Scene, op: Operation, params: object, options: CallOptions): Promise<Attempt> {
  if (op !== 'stream' && op !== 'subscribe') {
    return { op, outcome: await scene.client.call(op, params as never, options) };
  }
  const opened = await scene.client.open(op, params as never, options);
  if (opened.kind !== 'stream') return { op, outcome: opened };
  const [first] = opened.seen;
  opened.close();
  const exchange = await opened.ended;
  const fault = exchange.failure?.kind === 'too-large' ? 'too-large' : 'empty';
  const outcome: Outcome<unknown> =
    first === undefined
      ? { kind: 'invalid-response', fault, detail: 'a stream without any event', exchange }
      : { kind: 'result', value: first.event, wire: first.value, exchange };
  return { op, outcome };
}

/**
 * The three operations that every agent has, called without credentials. Shared: other checks judge the form of the
 * refusals.
 */
export const withoutCredentials = source('calls without credentials', async (scene): Promise<readonly Attempt[]> => {
  required(scene.card);
  const id = await someTaskId(scene);
  const options = { credentials: 'none' } as const;
  return [
    { op: 'send', outcome: await sendAs(scene, 'none') },
    await attempt(scene, 'get', { id }, options),
    await attempt(scene, 'cancel', { id }, options),
  ];
});

/** The reply itself is a refusal: a task that was rejected, or one that waits for a sign-in. */
function refusesInside({ op, outcome }: Attempt): boolean {
  if ((op !== 'send' && op !== 'stream') || outcome.kind !== 'result') return false;
  return /reject|auth.?required|sign.?in|log.?in|unauthori[sz]ed|credential/i.test(brief(outcome.wire, 4000));
}

/**
 * Judges that no operation was carried out. `known`: the same calls were accepted with valid credentials. Otherwise
 * only HTTP 401 and 403 show why a call was refused.
 */
export function keptOut(attempts: readonly Attempt[], known: boolean): Judgement {
  let open: Judgement;
  for (const attempt of attempts) {
    const { op, outcome } = attempt;
    const seen = `${op}: ${describe(outcome)}`;
    if (refusesInside(attempt)) open ??= inconclusive(`the answer does not show whether it is a refusal: ${seen}`);
    else if (outcome.kind === 'result') return seen;
    else if (outcome.kind === 'refusal' && !known) {
      open ??= inconclusive(
        `give valid credentials for comparison: nothing shows that missing credentials are the cause (${seen})`,
      );
    } else if (outcome.kind !== 'refusal' && outcome.kind !== 'denied') open ??= inconclusive(seen);
  }
  return open;
}

/** A second caller whom the agent has accepted, so that a later refusal is not caused by bad credentials. */
export const secondCaller = source('a second caller', async (scene): Promise<{ readonly task: Task | undefined }> => {
  const { client, card } = scene;
  // Where callers sign requests, the card need not declare security.
  if (scene.signing !== undefined) await scene.use(scene.signing.second);
  if (!client.hasSecond) {
    if (!client.isSomebody && !declaresSecurity(card)) {
      throw new NotApplicable('the card declares no security, so the agent does not distinguish callers');
    }
    throw new PreconditionUnmet(
      'give --second-bearer-env, --second-header or --second-query-env: the check needs credentials of another, unrelated caller',
    );
  }
  const outcome = await sendAs(scene, 'second');
  if (outcome.kind !== 'result') {
    const exchange = outcome.kind === 'not-sent' ? undefined : outcome.exchange;
    throw new PreconditionUnmet(
      `give other credentials of the second caller: the agent refuses each of its calls: ${describe(outcome)}`,
      exchange,
    );
  }
  return { task: outcome.value.type === 'task' ? outcome.value.task : undefined };
});
