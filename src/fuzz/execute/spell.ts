import { framed, framesIn, methodAt } from '../../binding/index.js';
import type { Tamper } from '../../client/index.js';
import type { Inspector } from '../../kit/index.js';
import { isObject } from '../../model/index.js';
import type { Header } from '../../wire/index.js';
import { valuesFor } from '../case/carried.js';
import type { CallStep, Value, WireMutation } from '../case/case.js';
import { plainParams, withTexts } from '../case/plain-params.js';
import { applyEdits, lasting } from '../case/pointer.js';
import type { Spell, SpellContext, Spelled } from '../case/spelled.js';
import { type Injection, type Members, print, refsOf, sizeOf, writtenOut } from '../case/values.js';
import { mostPrinted, weighed } from '../case/weight.js';
import { isTrusted } from '../confirm/trust.js';
import { rendered } from '../mutate/frame.js';
import type { Frame, Outgoing, Payer, RequestTools } from '../mutate/wire-mutation.js';
import { isUsable, kindOf } from '../mutate/wire-mutations.js';
import { expectedError } from '../oracles/expected-error.js';
import { freshMember, withFreshIds } from './fresh-ids.js';

export interface SpellOptions {
  /** Whether params fit the schema; left out: the tags of the edits decide. */
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
  const ways = { envelopes: enveloped, paths: pathed, messages: messaged } as const;
  return (step, context) => ways[context.dialect.binding.requests](step, context, options);
}

/** The request object of a step after its edits, and what is still to be done with it. */
function changed(step: CallStep, context: SpellContext, options: SpellOptions) {
  const { rpcId, noted = () => undefined, again, dialect } = context;
  const tricks = weighed(step).tricks.filter(
    (trick) => kindOf(trick) === undefined || isUsable(trick, dialect, step.operation),
  );
  const kinds: Kinds = tricks.map((trick) => [trick, kindOf(trick)] as const);
  const tools: RequestTools = { payer: options.payer, rpcId, noted };
  const asked = kinds.reduce(
    (made, [trick, kind]) => kind?.request?.(trick, made, tools) ?? made,
    requestOf(step, context, options.tenant),
  );
  const edits = (step.edits ?? []).filter(({ at }) => dialect.binding.requests === 'envelopes' || isInParams(at));
  const edited = applyEdits(asked, edits);
  const injections = kinds.flatMap(([trick, kind]): readonly Injection[] =>
    kind?.members === undefined ? [] : [kind.members(trick)],
  );
  const injected = again === undefined ? injections : injections.map((injection) => freshMember(injection, again));
  const whole = writtenOut(edited.value, context.resolve);
  const value = whole !== undefined || sizeOf(edited.value) <= mostPrinted ? edited.value : null;
  const plain = once(() => (whole === undefined ? print(value, context.resolve) : JSON.stringify(whole)));
  const last = lasting(edited);
  const request = once(() => {
    if (plain().length > 4 * 1024 * 1024) return undefined;
    return whole === undefined ? parsed(plain()) : whole;
  });
  return {
    tricks,
    kinds,
    value,
    injected,
    plain,
    request,
    unresolved: whole === edited.value ? [] : unresolvedIn(value, context),
    expected: (size: number) =>
      expectedError({
        dialect,
        operation: step.operation,
        edits: last,
        isMuddled: last.length < edited.applied.length,
        tricks,
        size,
        request,
        tenant: options.tenant,
        // What fits the schema may lose what it must have as a message.
        inspector: isTrusted(step) && dialect.binding.requests !== 'messages' ? undefined : options.inspector,
      }),
  };
}

const isInParams = (at: string): boolean => at === '/params' || at.startsWith('/params/');

/** The text after all changes to it, and its bytes. */
function bodyFrom(kinds: Kinds, plain: string): { readonly text: string; readonly body: Uint8Array } {
  let text = plain;
  for (const [trick, kind] of kinds) text = kind?.text?.(trick, text) ?? text;
  let body: Uint8Array = Buffer.from(text);
  for (const [trick, kind] of kinds) {
    if (kind?.bytes !== undefined) body = new Uint8Array(kind.bytes(trick, body, text));
  }
  return { text, body };
}

const outgoing = (kinds: Kinds, plain: Outgoing): Outgoing =>
  kinds.reduce<Outgoing>((made, [trick, kind]) => kind?.http?.(trick, made) ?? made, plain);

function enveloped(step: CallStep, context: SpellContext, options: SpellOptions): Spelled {
  const { kinds, value, injected, plain, request, unresolved, expected } = changed(step, context, options);
  const printed = injected.length === 0 ? plain() : print(value, context.resolve, injected);
  const { text, body } = bodyFrom(kinds, printed);
  const out = outgoing(kinds, {
    method: 'POST',
    url: context.endpoint,
    query: '',
    contentType: 'application/json',
    headers: [],
    body,
  });
  return {
    body: out.body,
    request,
    ...expected(body.length),
    unresolved,
    ...(kinds.some(([, kind]) => kind?.bytes !== undefined || kind?.frame !== undefined) ? { text } : {}),
    ...(out.method === 'POST' ? {} : { method: out.method }),
    ...(out.headers.length === 0 ? {} : { headers: out.headers }),
    ...(out.contentType === 'application/json' ? {} : { contentType: out.contentType }),
    ...(out.query === '' ? {} : { url: withQuery(context.endpoint, out.query) }),
    ...onSocket(kinds, out, context),
    ...tampered(kinds),
    ...idOf(text, out, kinds),
  };
}

/** Servers and clients limit URLs, most to 8 or 16 KiB. */
const longestUrl = 128 * 1024;
const nothing = new Uint8Array(0);

/** The request in a binding whose path and query hold a part of the params. */
function pathed(step: CallStep, context: SpellContext, options: SpellOptions): Spelled {
  const { dialect } = context;
  const { operation } = step;
  const { tricks, kinds, value, injected, request: whole, unresolved, expected } = changed(step, context, options);
  const names = dialect.operations[operation];
  const sent = plainParams(value === null ? null : ((value as Members)['params'] ?? {}), context.resolve, injected);
  const isObjectSent = isObject(sent.value);
  const params = isObjectSent
    ? withTexts(sent.value, (member) => names === undefined || dialect.binding.typed(member, names))
    : {};
  const form =
    context.form?.(operation, params) ??
    dialect.binding.request({ operation, endpoint: context.endpoint, names, params, id: context.rpcId });
  const isAstray = kinds.some(([trick, kind]) => kind?.astray?.(trick) === true);
  const request = once(() => {
    const { params: own, method } = (whole() ?? {}) as Record<string, unknown>;
    return { ...(isAstray ? {} : { method }), ...(own === undefined ? {} : { params: own }) };
  });
  const unsent = (why: string): Spelled => ({
    ...{ body: nothing, request, demand: 'open', valid: false, unresolved, unsent: why },
  });
  if ('inexpressible' in form) return unsent(form.inexpressible);
  const url = sent.inUrl(form.url);
  if (url.length > longestUrl) return unsent('the URL would be too long');
  const written = isObjectSent ? sent.inJson(decoder.decode(form.body)) : sent.inJson(JSON.stringify(sent.value) ?? '');
  const { text, body } = form.body === undefined ? { text: '', body: nothing } : bodyFrom(kinds, written);
  const out = outgoing(kinds, {
    method: form.method,
    url,
    query: '',
    contentType: form.contentType ?? null,
    headers: [],
    body,
  });
  const target = withQuery(out.url, out.query);
  const { demand, valid } = expected(body.length + url.length);
  return {
    body: out.body,
    request,
    // Values that are not objects go out in place of the whole body.
    demand: isObjectSent ? demand : 'open',
    valid: valid && isObjectSent,
    unresolved,
    text: [target, unescapedUrl(target), text].join('\n'),
    native: {
      method: out.method,
      url: target,
      ...(out.contentType === null ? {} : { contentType: out.contentType }),
      ...(form.accept === undefined ? {} : { accept: form.accept }),
      ...(out.body.length > 0 || (form.body !== undefined && out.method !== 'GET' && out.method !== 'HEAD')
        ? { body: out.body }
        : {}),
      ...(tricks.length > 0 && out.asIs === true ? { asIs: true as const } : {}),
    },
    ...(isAstray ? { astray: true as const } : {}),
    ...(out.headers.length === 0 ? {} : { headers: out.headers }),
    ...onSocket(kinds, { ...out, url: target, query: '' }, context, form.accept),
  };
}

/** The request in a binding whose requests are messages, which hold values and no text. */
function messaged(step: CallStep, context: SpellContext, options: SpellOptions): Spelled {
  const { dialect } = context;
  const { operation } = step;
  const { tricks, kinds, value, plain, request: whole, unresolved, expected } = changed(step, context, options);
  const names = dialect.operations[operation];
  const isAstray = kinds.some(([trick, kind]) => kind?.astray?.(trick) === true);
  const request = once(() => {
    const { params: own, method } = (whole() ?? {}) as Record<string, unknown>;
    return { ...(isAstray ? {} : { method }), ...(own === undefined ? {} : { params: own }) };
  });
  const unsent = (why: string): Spelled => ({
    ...{ body: nothing, request, demand: 'open', valid: false, unresolved, unsent: why },
  });
  const params = valuesFor(value, whole);
  if (params === undefined) return unsent('the params have no form as a message');
  const form =
    context.form?.(operation, params) ??
    dialect.binding.request({ operation, endpoint: context.endpoint, names, params, id: context.rpcId });
  if ('inexpressible' in form) return unsent(form.inexpressible);
  const method = methodAt(names?.grpc ?? '');
  let message = framesIn(form.body ?? nothing).frames[0]?.data ?? nothing;
  for (const [trick, kind] of kinds) {
    if (kind?.message !== undefined && method !== undefined) message = kind.message(trick, message, method);
  }
  let framedBody: Uint8Array = framed(message);
  for (const [trick, kind] of kinds) framedBody = kind?.framed?.(trick, framedBody) ?? framedBody;
  const out = outgoing(kinds, {
    method: form.method,
    url: form.url,
    query: '',
    contentType: form.contentType ?? null,
    headers: [],
    own: form.headers ?? [],
    body: framedBody,
  });
  const target = withQuery(out.url, out.query);
  return {
    body: out.body,
    request,
    ...expected(out.body.length),
    unresolved,
    text: [target, plain()].join('\n'),
    native: {
      method: out.method,
      url: target,
      ...(out.contentType === null ? {} : { contentType: out.contentType }),
      headers: out.own ?? [],
      ...(out.body.length > 0 ? { body: out.body } : {}),
      http2: true,
      // A library may close the connection of a request that it cannot read: no other request is on it.
      ...(tricks.length > 0 ? { manner: out.manner ?? {} } : {}),
    },
    ...(isAstray ? { astray: true as const } : {}),
    ...(out.headers.length === 0 ? {} : { headers: out.headers }),
  };
}

/** The URL as an agent reads it, as far as its escapes are right. */
const unescapedUrl = (url: string): string =>
  url.replaceAll(/(?:%[0-9a-f]{2}){1,200}/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });

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
  if (kinds.some(([, kind]) => kind?.otherBody === true)) return {};
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

/** The literal path and query of a URL. */
const targetOf = (url: string): string => {
  const from = url.indexOf('/', url.indexOf('://') + 3);
  return from < 0 ? '/' : url.slice(from);
};

/** The whole request, where a wire mutation is about its framing. */
function onSocket(
  kinds: Kinds,
  out: Outgoing,
  context: SpellContext,
  accept = 'application/json',
): Pick<Spelled, 'raw'> {
  const frames = kinds.filter(([, kind]) => kind?.frame !== undefined);
  if (frames.length === 0) return {};
  const whole = withQuery(out.url, out.query);
  const url = new URL(whole);
  const usual: readonly Header[] = [
    ['Host', url.host],
    ...(out.contentType === null ? [] : [['Content-Type', out.contentType] as const]),
    ['Accept', accept],
    ...context.dialect.headers,
    ...context.credentials,
    ...out.headers,
    ['Content-Length', String(out.body.length)],
    ['Connection', 'close'],
  ];
  const frame: Frame = {
    line: `${out.method} ${out.asIs === true ? targetOf(whole) : `${url.pathname}${url.search}`} HTTP/1.1`,
    headers: usual.map(([name, value]) => `${name}: ${value}`),
    eol: '\r\n',
    body: out.body,
    copies: 1,
  };
  return { raw: rendered(frames.reduce((made, [trick, kind]) => kind?.frame?.(trick, made) ?? made, frame)) };
}
