import { isObject, type JsonObject, type Operation } from '../model/index.js';

// Over HTTP+JSON, A2A 0.3 has two spellings of one model: that of its JSON schema (§6), and ProtoJSON of its proto
// (§3.2.3 asks for the first, most agents have the second: AMB03-15). These functions translate between the two. They
// leave unknown members and malformed values unchanged.

const roles = { user: 'ROLE_USER', agent: 'ROLE_AGENT' } as const;
const states = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELLED',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  rejected: 'TASK_STATE_REJECTED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
  unknown: 'TASK_STATE_UNSPECIFIED',
} as const;

type Words = ReadonlyMap<unknown, string>;
const forth = (table: Readonly<Record<string, string>>): Words => new Map(Object.entries(table));
const back = (table: Readonly<Record<string, string>>): Words =>
  new Map(Object.entries(table).map(([ours, theirs]) => [theirs, ours]));
const [roleTo, roleFrom] = [forth(roles), back(roles)];
const [stateTo, stateFrom] = [forth(states), back(states)];

type Change = (value: unknown) => unknown;

const word =
  (words: Words): Change =>
  (value) =>
    words.get(value) ?? value;
const each =
  (change: Change): Change =>
  (value) =>
    Array.isArray(value) ? value.map(change) : value;
const onObject =
  (change: (value: JsonObject) => unknown): Change =>
  (value) =>
    isObject(value) ? change(value) : value;

/** The object with some members changed; those that it does not have stay absent. */
function changed(value: JsonObject, changes: Readonly<Record<string, Change>>): JsonObject {
  const out: Record<string, unknown> = { ...value };
  for (const [name, change] of Object.entries(changes)) {
    if (Object.hasOwn(out, name)) out[name] = change(out[name]);
  }
  return out;
}

/** The object with a member under another name, at the same place. */
function renamed(value: JsonObject, from: string, to: string): JsonObject {
  if (!Object.hasOwn(value, from)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name === from ? to : name, member]));
}

const partTo = onObject(({ kind, ...part }) => {
  const { file, data } = part;
  if (kind === 'file' && isObject(file)) {
    return { ...part, file: renamed(renamed(file, 'bytes', 'fileWithBytes'), 'uri', 'fileWithUri') };
  }
  if (kind === 'data') return { ...part, data: { data } };
  return kind === 'text' ? part : { kind, ...part };
});

const partFrom = onObject((part) => {
  if (Object.hasOwn(part, 'kind')) return part;
  const { file, data } = part;
  if (isObject(file)) {
    const inner = renamed(renamed(file, 'fileWithBytes', 'bytes'), 'fileWithUri', 'uri');
    return { kind: 'file', ...part, file: inner };
  }
  if (isObject(data) && Object.hasOwn(data, 'data')) return { kind: 'data', ...part, data: data['data'] };
  if (Object.hasOwn(part, 'text')) return { kind: 'text', ...part };
  return part;
});

/** The proto has no name for a file, and no metadata for a part: a reader of ProtoJSON refuses what it does not know. */
const heldPart = onObject(({ metadata: _, ...part }) =>
  changed(part, { file: onObject(({ name: __, ...file }) => file) }),
);
/** Nor has it references to other tasks. */
const heldMessage = onObject(({ referenceTaskIds: _, ...message }) => changed(message, { content: each(heldPart) }));

/** A message of the schema in ProtoJSON. */
export const messageTo = onObject(({ kind: _, ...message }) =>
  renamed(changed(message, { role: word(roleTo), parts: each(partTo) }), 'parts', 'content'),
);
/** A message of either spelling in that of the schema. ProtoJSON leaves an empty list out. */
export const messageFrom = onObject((message) => {
  if (Object.hasOwn(message, 'kind') || Object.hasOwn(message, 'parts')) return message;
  const { content = [], ...rest } = message;
  return { kind: 'message', ...changed(rest, { role: word(roleFrom) }), parts: each(partFrom)(content) };
});

const statusTo = onObject((status) => changed(status, { state: word(stateTo), message: messageTo }));
const statusFrom = onObject((status) => changed(status, { state: word(stateFrom), message: messageFrom }));
const artifactTo = onObject((artifact) => changed(artifact, { parts: each(partTo) }));
const artifactFrom = onObject((artifact) => changed(artifact, { parts: each(partFrom) }));

const taskTo = onObject(({ kind: _, ...task }) =>
  changed(task, { status: statusTo, artifacts: each(artifactTo), history: each(messageTo) }),
);
const taskFrom = onObject((task) =>
  Object.hasOwn(task, 'kind')
    ? task
    : {
        kind: 'task',
        ...changed(task, { status: statusFrom, artifacts: each(artifactFrom), history: each(messageFrom) }),
      },
);

const statusUpdateTo = onObject(({ kind: _, ...update }) => changed(update, { status: statusTo }));
const statusUpdateFrom = onObject((update) =>
  Object.hasOwn(update, 'kind')
    ? update
    : { kind: 'status-update', final: false, ...changed(update, { status: statusFrom }) },
);
const artifactUpdateTo = onObject(({ kind: _, ...update }) => changed(update, { artifact: artifactTo }));
const artifactUpdateFrom = onObject((update) =>
  Object.hasOwn(update, 'kind') ? update : { kind: 'artifact-update', ...changed(update, { artifact: artifactFrom }) },
);

/** A configuration has a resource name in the proto, and the id of its task in the schema. */
const configTo = onObject(({ taskId, ...config }) => {
  const inner = config['pushNotificationConfig'];
  const id = isObject(inner) && typeof inner['id'] === 'string' ? inner['id'] : '';
  return { name: `tasks/${String(taskId)}/pushNotificationConfigs/${id}`, ...config };
});
/** ProtoJSON leaves an empty list out, and the schema has it in any case. */
const withSchemes = onObject(({ authentication, ...config }) => {
  if (authentication === undefined) return config;
  return {
    ...config,
    authentication: onObject((authenticationObject) => ({ schemes: [], ...authenticationObject }))(authentication),
  };
});
const configFrom = onObject(({ name, ...config }) => {
  const [, taskId, id] = /^tasks\/([^/]+)\/pushNotificationConfigs\/([^/]*)$/.exec(String(name)) ?? [];
  const inner = config['pushNotificationConfig'];
  if (taskId === undefined || !isObject(inner)) return name === undefined ? config : { name, ...config };
  return { taskId, ...config, pushNotificationConfig: withSchemes({ ...(id ? { id } : {}), ...inner }) };
});

/** Members of a reply or an event that tell what it holds (StreamResponse, SendMessageResponse). */
const wrappers = {
  task: taskFrom,
  message: messageFrom,
  statusUpdate: statusUpdateFrom,
  artifactUpdate: artifactUpdateFrom,
} as const;

/** A result of either spelling in that of the schema. */
export function resultFrom(wire: unknown): unknown {
  if (Array.isArray(wire)) return wire.map(configFrom);
  if (!isObject(wire) || Object.hasOwn(wire, 'kind')) return wire;
  const [name, ...others] = Object.keys(wire);
  if (name !== undefined && others.length === 0 && Object.hasOwn(wrappers, name) && isObject(wire[name])) {
    return wrappers[name as keyof typeof wrappers](wire[name]);
  }
  if (Object.hasOwn(wire, 'pushNotificationConfig')) return configFrom(wire);
  if (Array.isArray(wire['configs'])) return wire['configs'].map(configFrom);
  if (Array.isArray(wire['tasks'])) return changed(wire, { tasks: each(taskFrom) });
  if (isObject(wire['status']) && typeof wire['id'] === 'string') return taskFrom(wire);
  return wire;
}

/** A result of the schema in ProtoJSON: send and stream wrap it in a member that tells what it is. */
export function resultTo(wire: unknown, operation: Operation): unknown {
  if (operation === 'pushList') return { configs: each(configTo)(wire) };
  if (operation === 'pushSet' || operation === 'pushGet') return configTo(wire);
  if (!isObject(wire)) return wire;
  if (operation === 'get' || operation === 'cancel') return taskTo(wire);
  if (operation !== 'send' && operation !== 'stream' && operation !== 'subscribe') return wire;
  switch (wire['kind']) {
    case 'task':
      return { task: taskTo(wire) };
    case 'message':
      return { message: messageTo(wire) };
    case 'status-update':
      return { statusUpdate: statusUpdateTo(wire) };
    case 'artifact-update':
      return { artifactUpdate: artifactUpdateTo(wire) };
    default:
      return wire;
  }
}

/** Params of the schema in ProtoJSON, without what the proto does not have. */
export function paramsTo(params: unknown, operation: Operation): unknown {
  if (!isObject(params)) return params;
  if (operation === 'send' || operation === 'stream') {
    return changed(params, {
      message: (message) => heldMessage(messageTo(message)),
      configuration: onObject((configuration) => renamed(configuration, 'pushNotificationConfig', 'pushNotification')),
    });
  }
  if (operation !== 'pushSet') return params;
  const { taskId, pushNotificationConfig, ...rest } = params;
  const id = isObject(pushNotificationConfig) ? pushNotificationConfig['id'] : undefined;
  return {
    taskId,
    parent: `tasks/${String(taskId)}`,
    ...(id === undefined ? {} : { configId: id }),
    config: { ...rest, pushNotificationConfig },
  };
}

/** Params of either spelling in that of the schema. */
export function paramsFrom(params: JsonObject, operation: Operation): JsonObject {
  if (operation === 'send' || operation === 'stream') {
    const from = (value: unknown): unknown => {
      if (!isObject(value) || Object.hasOwn(value, 'kind') || Object.hasOwn(value, 'parts')) return value;
      const { content, ...members } = value;
      // In proto3 an empty text is one that is not set, and printers may write it.
      const rest = Object.fromEntries(Object.entries(members).filter(([, member]) => member !== ''));
      const parts = content === undefined ? {} : { parts: each(partFrom)(content) };
      return { kind: 'message', ...changed(rest, { role: word(roleFrom) }), ...parts };
    };
    return changed(params, {
      message: from,
      configuration: onObject((configuration) => renamed(configuration, 'pushNotification', 'pushNotificationConfig')),
    });
  }
  const { config, parent: _, configId: __, ...rest } = params;
  return operation === 'pushSet' && isObject(config) ? { ...rest, ...config } : params;
}
