import type { RequirementKey } from '../../ledger/index.js';
import type { ErrorName, Operation } from '../../model/index.js';
import type { Edit, Keyword } from '../case/case.js';

// Which broken requests the suites demand to be refused, and how. This table repeats their checks, so that the fuzzer
// demands no more of an agent than they do. The level of each comes from the rows of the version.

export interface Ruling {
  /** The sentence that the request is refused at all. */
  readonly refused?: RequirementKey;
  /** The sentence that the error is one of `names`. */
  readonly code?: RequirementKey;
  readonly names: readonly ErrorName[];
}

interface Rule extends Ruling {
  readonly operations: readonly Operation[];
  readonly keywords: readonly Keyword[];
  readonly at: RegExp;
  readonly fits?: (edit: Edit) => boolean;
}

/** AMB03-21, AMB10-33: which of the two applies is open. */
const shape = ['InvalidParams', 'InvalidRequest'] as const;
/** suites/message/defects.ts: an agent may also treat the kind of a part as a media type. */
const part = [...shape, 'ContentTypeNotSupported'] as const;
const any: readonly Operation[] = [];

const isEmptyList = ({ value }: Edit): boolean => Array.isArray(value) && value.length === 0;
const isString = ({ value }: Edit): boolean => typeof value === 'string';
/** suites/task/get.ts asks with 7 and with null: an array may be taken for its only element. */
const isPlainOther = ({ value }: Edit): boolean => typeof value === 'number' || value === null;
const isScalar = ({ value }: Edit): boolean => typeof value === 'string' || typeof value === 'number';
const isOldVersion = ({ op, value }: Edit): boolean => op === 'remove' || value === '1.0';
const isNoLength = ({ value }: Edit): boolean => value === 'x' || (Number.isInteger(value) && Number(value) < 0);
const isNegative = ({ value }: Edit): boolean => Number.isInteger(value) && Number(value) < 0;

const rules: readonly Rule[] = [
  // suites/rpc/methods.ts, suites/rpc/errors.ts
  {
    operations: any,
    keywords: ['required', 'const', 'enum', 'type'],
    at: /^\/jsonrpc$/,
    fits: isOldVersion,
    refused: 'rpc.version-checked',
    code: 'rpc.version-code',
    names: ['InvalidRequest'],
  },
  {
    operations: any,
    keywords: ['type'],
    at: /^\/method$/,
    fits: ({ value }) => typeof value === 'number',
    refused: 'rpc.method-type',
    code: 'rpc.method-type',
    names: ['InvalidRequest'],
  },
  {
    operations: any,
    keywords: ['required'],
    at: /^\/method$/,
    refused: 'rpc.not-a-request',
    code: 'rpc.not-a-request',
    names: shape,
  },
  {
    operations: ['get'],
    keywords: ['type'],
    at: /^\/params$/,
    fits: isScalar,
    refused: 'rpc.params-type',
    code: 'rpc.params-type',
    names: shape,
  },
  // suites/message/defects.ts
  {
    operations: ['send'],
    keywords: ['required'],
    at: /^\/params\/message$/,
    refused: 'send.message-required',
    code: 'send.shape-code',
    names: shape,
  },
  {
    operations: ['send'],
    keywords: ['required'],
    at: /^\/params\/message\/parts$/,
    refused: 'send.parts-required',
    code: 'send.shape-code',
    names: shape,
  },
  {
    operations: ['send'],
    keywords: ['bounds'],
    at: /^\/params\/message\/parts$/,
    fits: isEmptyList,
    refused: 'send.empty-parts-refused',
    names: shape,
  },
  {
    operations: ['send'],
    keywords: ['required'],
    at: /^\/params\/message\/role$/,
    refused: 'send.role-checked',
    code: 'send.role-checked',
    names: shape,
  },
  {
    operations: ['send'],
    keywords: ['enum'],
    at: /^\/params\/message\/role$/,
    fits: isString,
    refused: 'send.role-checked',
    code: 'send.role-checked',
    names: shape,
  },
  {
    operations: ['send'],
    keywords: ['required'],
    at: /^\/params\/message\/messageId$/,
    refused: 'send.message-id-required',
    code: 'send.message-id-required',
    names: shape,
  },
  {
    operations: ['send'],
    keywords: ['required'],
    at: /^\/params\/message\/parts\/\d+\/(kind|type)$/,
    refused: 'send.part-kind-required',
    code: 'send.part-kind-required',
    names: part,
  },
  {
    operations: ['send'],
    keywords: ['enum', 'const'],
    at: /^\/params\/message\/parts\/\d+\/(kind|type)$/,
    fits: isString,
    refused: 'send.part-kind-checked',
    code: 'send.part-kind-checked',
    names: part,
  },
  // suites/task/get.ts, suites/task/history.ts, suites/task/cancel.ts
  {
    operations: ['get'],
    keywords: ['required'],
    at: /^\/params\/id$/,
    refused: 'get.id-required',
    code: 'get.id-required-code',
    names: shape,
  },
  {
    operations: ['get'],
    keywords: ['type'],
    at: /^\/params\/id$/,
    fits: isPlainOther,
    refused: 'get.id-type',
    code: 'get.id-type',
    names: [...shape, 'TaskNotFound'],
  },
  {
    operations: ['get'],
    keywords: ['type', 'bounds'],
    at: /^\/params\/historyLength$/,
    fits: isNoLength,
    refused: 'get.history-invalid',
    code: 'get.history-invalid',
    names: [...shape, 'TaskNotFound'],
  },
  {
    operations: ['cancel'],
    keywords: ['required'],
    at: /^\/params\/id$/,
    refused: 'cancel.id-required',
    code: 'cancel.id-required-code',
    names: shape,
  },
  // suites/stream/refusals.ts, suites/stream/subscribe-refusals.ts
  {
    operations: ['stream'],
    keywords: ['required'],
    at: /^\/params\/message$/,
    refused: 'stream.invalid-params',
    code: 'stream.invalid-params-code',
    names: shape,
  },
  {
    operations: ['subscribe'],
    keywords: ['required'],
    at: /^\/params\/id$/,
    refused: 'sub.id-required',
    code: 'sub.id-required-code',
    names: shape,
  },
  // suites/push/refusals.ts
  {
    operations: ['pushSet'],
    keywords: ['required'],
    at: /^\/params(\/(pushNotificationConfig|config))?\/url$/,
    refused: 'push.url-required',
    names: shape,
  },
  // suites/list/refusals.ts
  {
    operations: ['list'],
    keywords: ['bounds'],
    at: /^\/params\/historyLength$/,
    fits: isNegative,
    refused: 'list.history-invalid',
    code: 'list.history-invalid',
    names: shape,
  },
  {
    operations: ['list'],
    keywords: ['enum'],
    at: /^\/params\/(status|state)$/,
    fits: isString,
    refused: 'list.unknown-state',
    code: 'list.unknown-state',
    names: shape,
  },
];

export function rulingOn(operation: Operation, edit: Edit): Ruling | undefined {
  return rules.find(
    (rule) =>
      (rule.operations.length === 0 || rule.operations.includes(operation)) &&
      rule.keywords.includes(edit.keyword) &&
      rule.at.test(edit.at) &&
      (rule.fits === undefined || rule.fits(edit)),
  );
}

/**
 * An empty id names no task, like any unknown id. Whether an agent treats it as an id or as an empty text is open, so
 * only an agent that answers for it is wrong.
 */
const noTask: Readonly<Partial<Record<Operation, RequirementKey>>> = {
  get: 'get.unknown-refused',
  cancel: 'cancel.unknown-refused',
  subscribe: 'sub.unknown-refused',
};
export function rulingOnEmptyId(operation: Operation, { at, op, value }: Edit): Ruling | undefined {
  const refused = op === 'set' && value === '' && /^\/params\/(id|taskId)$/.test(at) ? noTask[operation] : undefined;
  return refused === undefined ? undefined : { refused, names: [...shape, 'TaskNotFound'] };
}

/** suites/rpc/errors.ts: text that is not JSON, and JSON that is not a request. */
export const noJson: Ruling = { refused: 'rpc.parse-error', code: 'rpc.parse-error', names: ['ParseError'] };
export const noRequest: Ruling = {
  refused: 'rpc.not-a-request',
  code: 'rpc.not-a-request',
  names: ['InvalidRequest', 'InvalidParams'],
};
export const unknownMethod: Ruling = {
  refused: 'rpc.unknown-method',
  code: 'rpc.unknown-method',
  names: ['MethodNotFound'],
};
