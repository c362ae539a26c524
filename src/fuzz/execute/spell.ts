import type { Tamper } from '../../client/index.js';
import type { Inspector } from '../../kit/index.js';
import { isObject } from '../../model/index.js';
import type { Header } from '../../wire/index.js';
import type { CallStep, Value, WireMutation } from '../case/case.js';
import { applyEdits, lasting } from '../case/pointer.js';
import type { Spell, SpellContext, Spelled } from '../case/spelled.js';
import { type Injection, print, refsOf, sizeOf, writtenOut } from '../case/values.js';
import { mostPrinted, weighed } from '../case/weight.js';
import { isTrusted } from '../confirm/trust.js';
import type { Payer } from '../generate/payer.js';
import { rendered } from '../mutate/frame.js';
import type { Frame, Outgoing } from '../mutate/wire-mutation.js';
import { kindOf } from '../mutate/wire-mutations.js';
import { expectedError } from '../oracles/expected-error.js';
import { freshMember, withFreshIds } from './fresh-ids.js';

export interface SpellOptions {
  /** Tells whether params fit the schema; left out: the tags of the edits decide. */
  readonly inspector?: Inspector;
  /** Pays what agents ask for; left out: payments are left out. */
  readonly payer?: Payer;
  /** Named in the params of every call (1.0 §8.3.2). */
  readonly tenant?: string;
}

const decoder = new TextDecoder();

/** The request object of a step before its edits. */
function requestOf(step: CallStep, { dialect, rpcId, again }: SpellContext, tenant?: string): Value {
  const { operation } = step;
  const method = dialect.operations[operation]?.rpc ?? operation;
  if (step.params === undefined) return { jsonrpc: '2.0', id: rpcId, method };
  const params = again === undefined ? step.params : withFreshIds(step.params, again);
  const named =
    tenant !== undefined && isObject(params) && !Object.hasOwn(params, 'tenant')
      ? { tenant, ...(params as { readonly [member: string]: Value }) }
      : params;
  return { jsonrpc: '2.0', id: rpcId, method, params: named };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Prints steps; see `Spell`. */
export function createSpell(options: SpellOptions = {}): Spell {
  return (step, context) => {
    const { tricks } = weighed(step);
    const kinds = tricks.map((trick) => [trick, kindOf(trick)] as const);
    const { rpcId, offer = () => undefined, again } = context;
    const paid = { payer: options.payer, rpcId, offer };
    const asked = kinds.reduce(
      (made, [trick, kind]) => kind?.request?.(trick, made, paid) ?? made,
      requestOf(step, context, options.tenant),
    );
    const edited = applyEdits(asked, step.edits ?? []);
    const injections = kinds.flatMap(([trick, kind]): readonly Injection[] =>
      kind?.members === undefined ? [] : [kind.members(trick)],
    );
    const injected = again === undefined ? injections : injections.map((one) => freshMember(one, again));
    const whole = writtenOut(edited.value, context.resolve);
    const isWhole = whole === edited.value;
    const value = whole !== undefined || sizeOf(edited.value) <= mostPrinted ? edited.value : null;
    const plain = once(() => (whole === undefined ? print(value, context.resolve) : JSON.stringify(whole)));
    let text = injections.length === 0 ? plain() : print(value, context.resolve, injected);
    for (const [trick, kind] of kinds) text = kind?.text?.(trick, text) ?? text;
    let body: Uint8Array = Buffer.from(text);
    for (const [trick, kind] of kinds) {
      if (kind?.bytes !== undefined) body = new Uint8Array(kind.bytes(trick, body, text));
    }
    const out = kinds.reduce<Outgoing>((made, [trick, kind]) => kind?.http?.(trick, made) ?? made, {
      method: 'POST',
      query: '',
      contentType: 'application/json',
      headers: [],
      body,
    });
    const request = once(() => {
      if (plain().length > 4 * 1024 * 1024) return undefined;
      return whole === undefined ? parsed(plain()) : whole;
    });
    const last = lasting(edited);
    const { demand, valid } = expectedError({
      dialect: context.dialect,
      operation: step.operation,
      edits: last,
      isMuddled: last.length < edited.applied.length,
      tricks,
      size: body.length,
      request,
      inspector: isTrusted(step) ? undefined : options.inspector,
    });
    return {
      body: out.body,
      request,
      demand,
      valid,
      unresolved: isWhole ? [] : unresolvedIn(value, context),
      ...(kinds.some(([, kind]) => kind?.bytes !== undefined || kind?.frame !== undefined) ? { text } : {}),
      ...(out.method === 'POST' ? {} : { method: out.method }),
      ...(out.headers.length === 0 ? {} : { headers: out.headers }),
      ...(out.contentType === 'application/json' ? {} : { contentType: out.contentType }),
      ...(out.query === '' ? {} : { url: withQuery(context.endpoint, out.query) }),
      ...framed(kinds, out, context),
      ...tampered(kinds),
      ...idOf(text, out, kinds),
    };
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

type Kinds = readonly (readonly [WireMutation, ReturnType<typeof kindOf>])[];

/** All changes after signing, in their order. */
function tampered(kinds: Kinds): Pick<Spelled, 'tamper'> {
  const changes = kinds.flatMap(([trick, kind]) => (kind?.signed === undefined ? [] : [kind.signed(trick)]));
  if (changes.length === 0) return {};
  const tamper: Tamper = (request, sign) => changes.reduce((made, change) => change(made, sign), request);
  return { tamper };
}

/** The id as sent: only where the text is one object that any parser reads in the same way. */
function idOf(text: string, { method, body }: Outgoing, kinds: Kinds): Pick<Spelled, 'rpcId'> {
  const isPlain = kinds.every(([trick, kind]) => kind?.bytes === undefined && kind?.demand(trick) === 'kept');
  if (method !== 'POST' || body.length === 0 || text.length > 4 * 1024 * 1024) return {};
  // The body that is sent is not the signed one.
  if (kinds.some(([{ trick }]) => trick === 'signed-body')) return {};
  // The usual case without parsing: the id of the kit is in its usual place.
  if (
    !isPlain &&
    kinds.length > 0 &&
    kinds.some(([, kind]) => kind?.text !== undefined || kind?.members !== undefined)
  ) {
    return {};
  }
  const usual = /^\{"jsonrpc":"2\.0","id":"([^"\\]*)","method":"/.exec(text);
  if (usual?.[1] !== undefined) return { rpcId: usual[1] };
  const request = parsed(decoder.decode(body));
  return isObject(request) && Object.hasOwn(request, 'id') ? { rpcId: request['id'] } : {};
}

function unresolvedIn(value: Value, { resolve }: SpellContext): readonly string[] {
  return refsOf(value).filter((ref) => resolve(ref) === undefined);
}

const withQuery = (endpoint: string, query: string): string =>
  query !== '' && endpoint.includes('?') ? `${endpoint}&${query.slice(1)}` : `${endpoint}${query}`;

/** The whole request, where a wire mutation is about its framing. */
function framed(kinds: Kinds, out: Outgoing, context: SpellContext): Pick<Spelled, 'raw'> {
  const frames = kinds.filter(([, kind]) => kind?.frame !== undefined);
  if (frames.length === 0) return {};
  const url = new URL(withQuery(context.endpoint, out.query));
  const usual: readonly Header[] = [
    ['Host', url.host],
    ...(out.contentType === null ? [] : [['Content-Type', out.contentType] as const]),
    ['Accept', 'application/json'],
    ...context.dialect.headers,
    ...context.credentials,
    ...out.headers,
    ['Content-Length', String(out.body.length)],
    ['Connection', 'close'],
  ];
  const frame: Frame = {
    line: `${out.method} ${url.pathname}${url.search} HTTP/1.1`,
    headers: usual.map(([name, value]) => `${name}: ${value}`),
    eol: '\r\n',
    body: out.body,
    copies: 1,
  };
  return { raw: rendered(frames.reduce((made, [trick, kind]) => kind?.frame?.(trick, made) ?? made, frame)) };
}
