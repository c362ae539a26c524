import type { Outcome, Refusal } from '../../kit/index.js';
import { errorOf, isSameError } from '../../kit/index.js';
import type { RequirementKey } from '../../ledger/index.js';
import { type ErrorName, isString, member, type Operation } from '../../model/index.js';
import type { CallStep, Demand } from '../case/case.js';
import { nestsIn } from '../case/values.js';
import { isOwnFailure } from '../execute/own-failure.js';
import type { Sent, Trace } from '../execute/trace.js';
import { isSignedMutation } from '../mutate/wire-mutations.js';
import { exceptionIn } from './exception-words.js';
import {
  brokenLayer,
  caseUpTo,
  culprit,
  lastOf,
  mutationName,
  mutationsOf,
  unchangedStep,
  withOnly,
} from './mutation.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';
import { noJson, noRequest, type Ruling, rulingOn, rulingOnEmptyId, unknownMethod } from './refusal-rules.js';
import { demanded, remembered, symptomOf } from './symptom.js';

// JSON-RPC 2.0 §5.1, A2A 0.3 §8.1, 1.0 §5.4: an error says which layer found the fault.

/** Statuses with which HTTP itself refuses before JSON is read: lengths, sizes, types, heads. */
const httpRefusals: ReadonlySet<number> = new Set([402, 405, 406, 408, 411, 413, 414, 415, 431]);

/** Method names of other versions: an agent may serve several versions. */
const otherVersions =
  /^(message\/|tasks[/.]|agent\/|SendMessage$|SendStreamingMessage$|GetTask$|ListTasks$|CancelTask$|SubscribeToTask$|\w+TaskPushNotificationConfigs?$|GetExtendedAgentCard$|rpc\.)/i;

function rulingOf({ step, demand, request }: Sent): Ruling | undefined {
  const [edit] = step.edits ?? [];
  const [trick] = step.tricks ?? [];
  switch (demand) {
    case 'parse-error':
      return trick === undefined ? undefined : noJson;
    case 'unknown-method': {
      const method = member(request, 'method');
      return isString(method) && method !== '' && !otherVersions.test(method) ? unknownMethod : undefined;
    }
    case 'invalid-request':
      if (trick !== undefined) return noRequest;
      return edit && rulingOn(step.operation, edit);
    case 'invalid-params':
      return edit && rulingOn(step.operation, edit);
    case 'open':
      return edit && rulingOnEmptyId(step.operation, edit);
    default:
      return undefined;
  }
}

/** AMB03-10, AMB03-13, AMB10-21: these operations may refuse with any error. */
const anyError: ReadonlySet<Operation> = new Set(['subscribe', 'pushGet', 'pushList', 'pushDelete', 'extendedCard']);

/**
 * Errors that cannot be right where the suites have no rule, whatever the agent checked first: they name another layer
 * than the broken one. Everything else is tolerated, also errors of A2A: an agent may check ids, states, media types
 * and capabilities before the shape.
 */
const neverRight: Readonly<Partial<Record<Demand, readonly ErrorName[]>>> = {
  'parse-error': ['InternalError', 'MethodNotFound', 'TaskNotFound'],
  'invalid-request': ['InternalError', 'TaskNotFound'],
  'unknown-method': ['InternalError', 'ParseError', 'TaskNotFound'],
  'invalid-params': ['InternalError', 'ParseError', 'MethodNotFound'],
  // Whatever the right answer is, the same request without the change is answered otherwise: this is an internal
  // defect.
  open: ['InternalError'],
};

/**
 * The same in a binding without an envelope: a router looks for the path and the task before it reads the body, so only
 * an internal error names no layer. Over gRPC a library finds what is wrong before the agent, as it comes.
 */
const neverRightHere = (demand: Demand, { dialect: { binding } }: OracleContext): readonly ErrorName[] =>
  binding.requests === 'envelopes' ? (neverRight[demand] ?? []) : ['InternalError'];

/** An error without a name of its own may be any of those that fit its status. */
const namesOf = ({ error, fits = [] }: Refusal): readonly ErrorName[] => (error === undefined ? fits : [error]);

/** A status by which a server says that it is overloaded, or does not have this: no internal error of the agent. */
const isInnocent = ({ code, exchange }: Refusal): boolean => {
  const status = exchange.response?.status ?? 0;
  return code === undefined && status >= 500 && !isOwnFailure(status);
};

/** Levels of nesting that any parser accepts. */
const deepest = 32;

const isDeep = ({ params = null, edits = [] }: CallStep): boolean =>
  [params, ...edits.map(({ value = null }) => value)].some((value) => nestsIn(value) > deepest);

/** Whether a library of gRPC may refuse the request before the agent sees it. */
const isForLibrary = ({ step }: Sent, { dialect: { binding } }: OracleContext): boolean =>
  brokenLayer(step) !== undefined || (binding.requests === 'messages' && isDeep(step));

interface Charge {
  readonly bucket: string;
  /** As a symptom has it. */
  readonly cause?: string;
  readonly title: string;
  readonly keys: readonly RequirementKey[];
}

/** Whether the rule belongs to one operation: rules about params are different sentences for each operation. */
const isOfOperation = ({ step }: Sent, ruling: Ruling | undefined): boolean =>
  ruling !== undefined && (step.edits ?? []).some(({ at }) => at.startsWith('/params'));

/** Wrong params and odd params count as one layer: the internal defect is the same. */
const layerOf = (demand: Demand): Demand => (demand === 'open' ? 'invalid-params' : demand);

function charge(sent: Sent, oracleContext: OracleContext): Charge | undefined {
  const { step, demand, reading } = sent;
  const { outcome } = reading;
  const { operation } = step;
  const ruling = rulingOf(sent);
  const mutation = mutationName(step);
  if (outcome.kind === 'result') {
    const keys = demanded(oracleContext, ruling?.refused);
    if (keys.length === 0) return undefined;
    return {
      bucket: `error-class/accepted ${operation} ${mutation}`,
      ...(isOfOperation(sent, ruling) ? {} : { cause: `error-class/accepted ${mutation}` }),
      title: `${operation} (${mutation}) is accepted`,
      keys,
    };
  }
  if (outcome.kind !== 'refusal') return undefined;
  if (!outcome.inForm) return pageCharge(sent, outcome, oracleContext, ruling);
  // RFC 8259 §9: a parser may limit how deeply a text nests, and then it has not read the nested part.
  if ((outcome.error === 'ParseError' || outcome.error === 'InvalidRequest') && isDeep(step)) return undefined;
  if (isInnocent(outcome)) return undefined;
  // AMB10-49: a library of gRPC says INTERNAL of a message that it cannot read, and of one that nests too deep.
  if (outcome.error === 'InternalError' && isForLibrary(sent, oracleContext)) return undefined;
  if (ruling !== undefined && namesOf(outcome).some((name) => ruling.names.includes(name))) return undefined;
  const keys = demanded(oracleContext, ruling?.code);
  const isWrong = outcome.error !== undefined && neverRightHere(demand, oracleContext).includes(outcome.error);
  // AMB03-10, AMB03-13: any error passes.
  if (demand === 'open' && anyError.has(operation)) return undefined;
  if (keys.length === 0 && !isWrong) return undefined;
  if (outcome.error === 'MethodNotFound' && oracleContext.dialect.optional.includes(operation)) return undefined;
  const got = outcome.error ?? errorOf(outcome);
  const what = ruling === undefined ? (mutation.split(' ')[0] ?? mutation) : mutation;
  return {
    bucket: `error-class/${got} ${operation} ${demand} ${what}`,
    ...(isOfOperation(sent, ruling) ? {} : { cause: `error-class/${got} ${layerOf(demand)} ${what}` }),
    title: `${operation} (${mutation}) is refused with ${errorOf(outcome)}${outcome.error === undefined ? '' : ` (${outcome.error})`}`,
    keys,
  };
}

/** A refusal of HTTP, without a JSON-RPC error: right only where HTTP itself may refuse. */
function pageCharge(
  sent: Sent,
  outcome: Refusal,
  oracleContext: OracleContext,
  ruling: Ruling | undefined,
): Charge | undefined {
  const { step, exchange } = sent;
  const status = exchange.response?.status ?? 0;
  if (httpRefusals.has(status) || outcome.kind !== 'refusal') return undefined;
  const keys = demanded(oracleContext, ruling?.code);
  if (keys.length === 0) return undefined;
  const mutation = mutationName(step);
  return {
    bucket: `error-class/page ${step.operation} ${mutation}`,
    ...(isOfOperation(sent, ruling) ? {} : { cause: `error-class/page ${mutation}` }),
    title: `${step.operation} (${mutation}) is refused with HTTP ${status} and no error of A2A`,
    keys,
  };
}

/** Whether both were refused with the same code: then the answer says nothing about the defect. */
const isAlike = (first: Outcome<unknown>, second: Outcome<unknown>): boolean =>
  first.kind === 'refusal' && second.kind === 'refusal' && isSameError(first, second);

/** By bucket: whether the unchanged request is answered otherwise, and how often it was sent. */
interface Controls {
  readonly proven: Set<string>;
  readonly asked: Map<string, number>;
}
const controls = remembered((): Controls => ({ proven: new Set(), asked: new Map() }));
const mostBuckets = 512;
const mostAsked = 3;

async function isProven(trace: Trace, sent: Sent, oracleContext: OracleContext, bucket: string): Promise<boolean> {
  const { proven, asked } = controls(oracleContext);
  if (proven.has(bucket)) return true;
  const times = asked.get(bucket) ?? 0;
  if (times >= mostAsked || (times === 0 && asked.size >= mostBuckets)) return false;
  asked.set(bucket, times + 1);
  const control = lastOf(await oracleContext.perform(caseUpTo(trace, sent, unchangedStep(sent.step))));
  if (control === undefined) return false;
  const { outcome } = control.reading;
  const isTelling = outcome.kind === 'result' || (outcome.kind === 'refusal' && outcome.inForm);
  if (!isTelling || isAlike(sent.reading.outcome, outcome)) return false;
  proven.add(bucket);
  return true;
}

/** With several changes it is unknown which one the agent found first. */
const isSingle = (step: CallStep): boolean => mutationsOf(step).length === 1;
const judged: ReadonlySet<string> = new Set([
  'open',
  'parse-error',
  'invalid-request',
  'unknown-method',
  'invalid-params',
]);

/** Adds to the title that the error has the words of an exception: then it is the same defect at every place. */
const withWords = (sent: Sent, found: Charge): Charge => {
  const { outcome } = sent.reading;
  const words = outcome.kind === 'refusal' ? exceptionIn(outcome.message.slice(0, 2000)) : undefined;
  return words === undefined ? found : { ...found, title: `${found.title}, with the words of an exception` };
};

const charged = (sent: Sent, { bucket, cause, title, keys }: Charge): Symptom => ({
  ...symptomOf('error-class', bucket, title, sent, keys),
  ...(cause === undefined ? {} : { cause }),
});

const isInternal = ({ reading: { outcome } }: Sent): boolean =>
  outcome.kind === 'refusal' && outcome.error === 'InternalError';

/** Changes that alone cause an internal error, and how often none of several changes did. */
interface Blamed {
  readonly names: Set<string>;
  vain: number;
}
const blamed = remembered((): Blamed => ({ names: new Set(), vain: 0 }));
const mostVain = 24;

/** Of several changes that together cause an internal error: the one that causes it alone, in a request of its own. */
async function single(trace: Trace, sent: Sent, oracleContext: OracleContext): Promise<Symptom | undefined> {
  const { operation } = sent.step;
  const memory = blamed(oracleContext);
  const names = mutationsOf(sent.step);
  if (memory.vain >= mostVain || names.some((name) => memory.names.has(`${operation} ${name}`))) return undefined;
  const name = await culprit(trace, sent, oracleContext, 'exception', isInternal);
  const at = names.indexOf(name);
  if (at < 0) {
    memory.vain++;
    return undefined;
  }
  memory.names.add(`${operation} ${name}`);
  const alone = await oracleContext.perform(caseUpTo(trace, sent, withOnly(sent.step, at)));
  const other = lastOf(alone);
  const found = other !== undefined && judged.has(other.demand) ? charge(other, oracleContext) : undefined;
  if (other === undefined || found === undefined || !(await isProven(alone, other, oracleContext, found.bucket)))
    return undefined;
  return { ...charged(other, withWords(other, found)), case: alone.case };
}

/** Broken requests are refused with an error that names the broken layer. */
export const errorClass: Oracle = (trace, oracleContext) => {
  const several: Sent[] = [];
  const charges = trace.sent.flatMap((sent) => {
    if (!judged.has(sent.demand) || sent.unresolved.length > 0) return [];
    // The oracle `signed` judges wrong signatures.
    if (sent.step.tricks?.some(isSignedMutation) === true) return [];
    if (!isSingle(sent.step)) {
      if (isInternal(sent) && mutationsOf(sent.step).length > 1) several.push(sent);
      return [];
    }
    const found = charge(sent, oracleContext);
    return found === undefined ? [] : [{ sent, charge: withWords(sent, found) }];
  });
  return charges.length + several.length === 0 ? [] : provenOf(trace, oracleContext, charges, several);
};

async function provenOf(
  trace: Trace,
  oracleContext: OracleContext,
  charges: readonly { readonly sent: Sent; readonly charge: Charge }[],
  several: readonly Sent[],
): Promise<readonly Symptom[]> {
  const found: Symptom[] = [];
  for (const { sent, charge } of charges) {
    if (!(await isProven(trace, sent, oracleContext, charge.bucket))) continue;
    found.push(charged(sent, charge));
  }
  for (const sent of several) {
    const symptom = await single(trace, sent, oracleContext);
    if (symptom !== undefined) found.push(symptom);
  }
  return found;
}
