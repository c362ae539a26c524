import type { Dialect } from '../../dialect/index.js';
import type { Inspector } from '../../kit/index.js';
import { unknownMember } from '../../ledger/index.js';
import { isObject, isString, member, type Operation, stringMember } from '../../model/index.js';
import type { Demand, Edit, Value, WireMutation } from '../case/case.js';
import { stepsOf } from '../case/pointer.js';
import { specialOf } from '../case/values.js';
import { paramsOf } from '../generate/places.js';
import { kindOf } from '../mutate/wire-mutations.js';

// Decides which answer is right: `open` where a sentence is unclear (schemas/ambiguities.yaml) or a leniency is common.

/** Larger requests may be refused for their size alone. */
const mostBytes = 64 * 1024;

export interface Judged {
  readonly dialect: Dialect;
  readonly operation: Operation;
  /** Edits that still show in what goes out. */
  readonly edits: readonly Edit[];
  /** A later edit took an earlier one back. */
  readonly isMuddled: boolean;
  readonly tricks: readonly WireMutation[];
  /** Length of the body, bytes. */
  readonly size: number;
  /** The request object; undefined where it cannot be parsed again. */
  request(): unknown;
  readonly inspector: Inspector | undefined;
  /** The tenant that the card names for the interface; undefined: none. */
  readonly tenant?: string | undefined;
}

export interface ExpectedError {
  readonly demand: Demand;
  /** The request is valid, as far as the kit knows: laws judge its answer. */
  readonly valid: boolean;
}

export function expectedError(judged: Judged): ExpectedError {
  const demand = demandOf(judged);
  return { demand: mayBeAbsent(judged) ? 'open' : demand, valid: demand === 'valid' };
}

/** AMB03-10, AMB03-33: an agent may lack the method, whatever its card declares. */
const mayBeAbsent = ({ dialect, operation }: Judged): boolean =>
  dialect.optional.includes(operation) || (operation === 'subscribe' && dialect.schemas !== 'a2a/1.0');

function demandOf(judged: Judged): Demand {
  const { tricks, size, dialect, edits } = judged;
  if (size > mostBytes) return 'open';
  // A message has no room for most of what is wrong in JSON: what goes out may be right (AMB10-49). The checks ask for the rest.
  if (dialect.binding.requests === 'messages' && edits.length > 0) return 'open';
  const demands = new Set(tricks.map((trick) => kindOf(trick)?.demand(trick) ?? 'open'));
  demands.delete('kept');
  if (demands.size > 1 || demands.has('open')) return 'open';
  const [tricked] = demands;
  // Without an envelope an object of any members may be the params.
  if (tricked === 'invalid-request' && dialect.binding.requests !== 'envelopes') return 'open';
  if (tricked !== undefined && tricked !== 'kept') return tricked;
  return editedDemand(judged);
}

function editedDemand(judged: Judged): Demand {
  const { edits, isMuddled, inspector } = judged;
  const demands = new Set(edits.map((edit) => demandOfEdit(edit, judged)));
  if (isMuddled) demands.add('open');
  // An agent may check the envelope before the params, or after them: with defects in both, either error is right.
  const envelope = [...demands].filter((demand) => demand === 'invalid-request' || demand === 'unknown-method');
  if (envelope.length > 0) return demands.size === 1 ? (envelope[0] ?? 'open') : 'open';
  // After a missing or odd id an agent need not look at the rest.
  if (edits.some((edit) => isEnvelope(edit) && demandOfEdit(edit, judged) === 'open')) return 'open';
  if (demands.has('open') && !demands.has('invalid-params')) return 'open';
  // Whether another tenant is refused, and how, is open (AMB10-29).
  if (demands.size === 0 && namesTenant(judged)) return 'open';
  const fits = fitsSchema(judged);
  if (demands.has('invalid-params')) return fits === true ? 'open' : 'invalid-params';
  return fits === true || inspector === undefined ? 'valid' : 'open';
}

const namesTenant = ({ request, tenant }: Judged): boolean => {
  const named = member(member(request(), 'params'), 'tenant');
  return named !== undefined && named !== tenant;
};

const isEnvelope = ({ at }: Edit): boolean => at !== '/params' && !at.startsWith('/params/');

/** Whether the params fit the schema of the operation, unknown members aside; undefined: unknown. */
function fitsSchema({ dialect, operation, request, inspector }: Judged): boolean | undefined {
  const ref = `rpc.schema.json#/$defs/${operation}.params`;
  if (inspector === undefined || !inspector.has(ref)) return undefined;
  const sent = member(request(), 'params');
  const params = dialect.binding.requests === 'messages' ? withoutEmptyLists(sent) : sent;
  // Methods without parameters may leave them out (0.3 §6.11.1).
  if (params === undefined) return !needsParams(dialect, operation);
  // 1.0: inline configurations have the same schema, and name no task.
  if (operation === 'pushSet' && stringMember(params, 'taskId') === undefined) return undefined;
  return inspector.inspect(ref, params).findings.every(({ message }) => message === unknownMember);
}
/** Members whose content is data of a caller. */
const opaque: ReadonlySet<string> = new Set(['metadata', 'data', 'params']);

/**
 * Params as a message holds them: an empty list is one that is not there
 * (protobuf.dev/programming-guides/field_presence).
 */
function withoutEmptyLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyLists);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      Array.isArray(member) && member.length === 0
        ? []
        : [[name, opaque.has(name) ? member : withoutEmptyLists(member)]],
    ),
  );
}

const needsParams = (dialect: Dialect, operation: Operation): boolean =>
  paramsOf(dialect, operation)?.shape.forms.some((form) =>
    Object.values(form.members).some((member) => member.required),
  ) ?? false;

function demandOfEdit(edit: Edit, { dialect, operation }: Judged): Demand {
  const { at, op, value = null, keyword } = edit;
  if (!isTyped(at, dialect, operation)) return 'open';
  switch (at) {
    case '/jsonrpc':
      return 'invalid-request';
    case '/id':
      // AMB03-18: a notification, or null, may be refused. JSON-RPC 2.0 §4 discourages fractions.
      return op === 'set' && isContainer(value) ? 'invalid-request' : 'open';
    case '/method':
      return op === 'remove' || !isText(value) ? 'invalid-request' : demandOfMethod(value, dialect);
    case '/params':
      if (op === 'set' && value === null) return 'open';
      return needsParams(dialect, operation) ? 'invalid-params' : 'open';
    default:
      return at.startsWith('/params/') ? demandInParams(at, op, value, keyword, dialect) : 'open';
  }
}

/**
 * Whether a value reaches the agent as the JSON value that it is. A path and a query hold texts. Where a message has two
 * spellings (AMB03-15), what is wrong in one may be right in the other.
 */
function isTyped(at: string, dialect: Dialect, operation: Operation): boolean {
  const { binding, operations, otherSpellings } = dialect;
  if (otherSpellings !== undefined) return false;
  const names = operations[operation];
  const [, member] = stepsOf(at);
  return (
    names === undefined || (member === undefined ? binding.requests === 'envelopes' : binding.typed(member, names))
  );
}

function isText(value: Value): boolean {
  const special = specialOf(value);
  // The kit sends a text with odd escapes literally.
  return isString(value) || special?.is === 'text' || (special?.is === 'raw' && special.json.startsWith('"'));
}
const isContainer = (value: Value): boolean => {
  const special = specialOf(value);
  if (special !== undefined) return special.is === 'nest' || special.is === 'list';
  return (typeof value === 'object' && value !== null) || typeof value === 'boolean';
};

/** `rpc.method-case` is a SHOULD, so another letter case is open; white space may be trimmed. */
function demandOfMethod(value: Value, dialect: Dialect): Demand {
  // Lone surrogates may not be a text to the agent at all.
  if (specialOf(value)?.is === 'raw') return 'open';
  if (!isString(value)) return 'unknown-method';
  const plain = value.replaceAll(/[^\p{L}\p{N}/._]/gu, '').toLowerCase();
  const known = Object.values(dialect.operations).some((item) => item?.rpc.toLowerCase() === plain);
  return known || plain === '' || plain.startsWith('rpc.') ? 'open' : 'unknown-method';
}

/** Members of 0.3 in 1.0 and the like: some agents ignore unknown members (AMB10-31), others refuse them. */
const oldNames = /\/(kind|file|name|mimeType|pushNotificationConfig)$/;
/** Places that agents need not read. */
const unread = /\/(tenant|reason|xpr:callerAccount|xpr:jobId|pageToken)$|^\/params\/(pageSize|pageToken)$/;

function demandInParams(at: string, op: Edit['op'], value: Value, keyword: Edit['keyword'], dialect: Dialect): Demand {
  if (keyword === 'additional' || keyword === 'format' || keyword === 'pattern') return 'open';
  // null counts as absent in ProtoJSON and in many parsers, and is refused by others (AMB10-33). In a list it is a
  // wrong item, except in 1.0, where no text says how ProtoJSON reads it.
  if (op === 'set' && value === null)
    return /\/\d+$/.test(at) && dialect.schemas !== 'a2a/1.0' ? 'invalid-params' : 'open';
  if (unread.test(at)) return 'open';
  // AMB03-05: `kind` of a message may be missing. AMB03-31: parts may be empty. AMB10-37: a part may be empty.
  if (/\/message\/kind$/.test(at)) return 'open';
  if (keyword === 'shape') return 'open';
  // A list of a thousand parts has the keyword `bounds`, too.
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
  if (keyword === 'bounds') {
    return isEmpty && dialect.schemas === 'a2a/1.0' && /\/message\/(parts|messageId)$/.test(at)
      ? 'invalid-params'
      : 'open';
  }
  if (oldNames.test(at) && keyword !== 'type' && !/\/parts\/\d+\/(kind|file)$/.test(at)) return 'open';
  // ProtoJSON accepts numbers as texts, and names of enumerations as numbers (AMB10-33).
  if (dialect.schemas === 'a2a/1.0' && isLooseNumber(at, value, keyword)) return 'open';
  return 'invalid-params';
}

function isLooseNumber(at: string, value: Value, keyword: Edit['keyword']): boolean {
  if (keyword === 'enum') return typeof value === 'number';
  const isNumeric = isString(value) || specialOf(value)?.is === 'raw';
  return keyword === 'type' && isNumeric && /\/(historyLength|pageSize)$/.test(at);
}
