import {
  brief,
  type ClientCall,
  type ClientCheck,
  callName,
  callsOf,
  clientCheck,
  type ErrorName,
  eachCall,
  excerpt,
  header,
  isObject,
  mediaType,
  member,
  type Operation,
  standing,
} from '../../src/kit/index.js';
import { eachRealCall, versionIn } from '../shared/seen.js';

// The form of requests.

type Judge = ClientCheck['judge'];

// In our words (1.0, 3.6.1 Client Responsibilities): Every request carries `A2A-Version`.
export const sendsVersion = clientCheck('client-request/version', 'client.sends-version')
  .in()
  .expects(
    'send A2A-Version with every request',
    eachCall(({ exchange: { request } }) => {
      const inQuery = new URL(request.url).searchParams.get('A2A-Version') ?? undefined;
      return header(request.headers, 'a2a-version') === undefined && inQuery === undefined
        ? 'it has no A2A-Version'
        : undefined;
    }),
  )
  .advice('Add the header A2A-Version to every request, streams and downloads of the card included.');

// In our words (1.0, 14.2.1 A2A-Version Header): The version that is sent has the form Major.Minor.
export const versionFormat = clientCheck('client-request/version-format', 'client.version-format')
  .in()
  .expects(
    'send its version as Major.Minor',
    eachRealCall((call) => {
      const version = versionIn(call);
      if (version === undefined) return 'skip';
      return /^\d+\.\d+$/.test(version) ? undefined : `its A2A-Version is ${excerpt(version, 100)}`;
    }),
  )
  .advice('Send "1.0" as A2A-Version, without a patch number.');

// -- JSON-RPC

// In our words (1.0, 9.1 Protocol Requirements): JSON-RPC requests are POST requests.
export const rpcPost = clientCheck('client-rpc/post', 'client.rpc-post')
  .in()
  .expects(
    'send JSON-RPC requests as POST',
    eachRealCall(({ exchange: { request } }) =>
      request.method === 'POST' ? undefined : `its method is ${request.method}`,
    ),
  )
  .advice('Use POST for every JSON-RPC request.');

// In our words (1.0, 9.1 Protocol Requirements): JSON-RPC requests have Content-Type application/json.
export const rpcMediaType = clientCheck('client-rpc/media-type', 'client.rpc-media-type')
  .in()
  .expects(
    'send JSON-RPC requests as application/json',
    eachRealCall(({ exchange: { request } }) => {
      const type = mediaType(request.headers);
      return type === 'application/json' ? undefined : `its Content-Type is ${type ?? 'missing'}`;
    }),
  )
  .advice('Set Content-Type to application/json.');

// In our words (1.0, 9.3 Base Request Structure): `jsonrpc` is "2.0".
export const rpcVersion = clientCheck('client-rpc/version', 'client.rpc-version')
  .in()
  .expects(
    'send "jsonrpc": "2.0"',
    eachRealCall(({ body }) => {
      if (!isObject(body)) return 'its body is not a JSON object';
      return body['jsonrpc'] === '2.0' ? undefined : `its jsonrpc is ${JSON.stringify(body['jsonrpc']) ?? 'missing'}`;
    }),
  )
  .advice('Set the member jsonrpc to the text "2.0".');

// In our words (1.0, 9.1 Protocol Requirements): The methods are those of section 9.4.
export const rpcMethod = clientCheck('client-rpc/method', 'client.rpc-method')
  .in()
  .expects(
    'use the names of methods that the version has',
    eachRealCall(({ body, operation }) => {
      if (!isObject(body)) return 'skip';
      return operation === undefined ? `its method is ${JSON.stringify(body['method']) ?? 'missing'}` : undefined;
    }),
  )
  .advice('Use the methods of the version of the interface: SendMessage in 1.0, message/send in 0.3.');

// In our words (1.0, 9.3 Base Request Structure): Every JSON-RPC request has an id: a string or a number.
export const rpcId = clientCheck('client-rpc/id', 'client.rpc-id')
  .in()
  .expects(
    'give every request an id that is a text or a number',
    eachRealCall(({ body }) => {
      if (!isObject(body) || body['id'] === null) return 'skip';
      const { id } = body;
      return typeof id === 'string' || typeof id === 'number'
        ? undefined
        : `its id is ${JSON.stringify(id) ?? 'missing'}`;
    }),
  )
  .advice('Give every request an id: a text or a number. One without is a notification and gets no answer.');

// In our words (1.0, 9.3 Base Request Structure): The id is not null.
export const rpcIdNotNull = clientCheck('client-rpc/id-not-null', 'client.rpc-id-not-null')
  .in()
  .expects(
    'not use null as an id',
    eachRealCall(({ body }) => {
      if (!isObject(body) || !Object.hasOwn(body, 'id')) return 'skip';
      return body['id'] === null ? 'its id is null' : undefined;
    }),
  )
  .advice('Use a text or a number as id; null stands for an id that could not be read.');

// -- Content

/** Errors by which an agent says that a request has not the form that the version gives it. */
const ofForm: ReadonlySet<ErrorName> = new Set<ErrorName>([
  'ParseError',
  'InvalidRequest',
  'MethodNotFound',
  'InvalidParams',
]);

// In our words (1.0, 9.3 Base Request Structure): Requests have the form of the binding and of the proto.
export const requestForm = clientCheck('client-request/form', 'client.request-form')
  .in()
  .expects(
    'send requests that have the form of the version',
    eachRealCall(({ refused, message, operation }) => {
      if (refused === undefined) return undefined;
      const { names, text } = refused;
      // A contextId that is not that of the task has a check of its own, and so have operations that the card does not declare.
      const isOfTask = message?.taskId !== undefined && message.contextId !== undefined;
      const isUndeclared = operation !== undefined && names.includes('MethodNotFound');
      return isOfTask || isUndeclared || names.length === 0 || !names.every((name) => ofForm.has(name))
        ? 'skip'
        : `the agent of the kit answered it with the error ${text}`;
    }),
  )
  .advice('Read the message of the error: it names the member. Params are an object, or are left out.');

const sends: readonly Operation[] = ['send', 'stream'];

/** Every message; what breaks the schema there under one of these rules is wrong. */
const messages = (isWrong: (path: string, rule: string) => boolean): Judge =>
  eachRealCall(
    ({ problems }) => {
      const problem = problems.find(({ path, rule }) => path.includes('/message') && isWrong(path, rule));
      return problem === undefined ? undefined : `${problem.path}: ${problem.message}`;
    },
    ...sends,
  );

const wireMessage = ({ params }: ClientCall): unknown => member(params, 'message');

// In our words (0.3, 6.4 Message Object): Messages have the kind message.
export const messageKind = clientCheck('client-message/kind', 'client.message-kind')
  .in()
  .expects(
    'send messages of the kind message',
    messages((_, rule) => rule === 'data.message-kind'),
  )
  .advice('Set kind to "message".');

// In our words (1.0, 4.1.4 Message): Messages have a messageId.
export const messageId = clientCheck('client-message/id', 'client.message-id')
  .in()
  .expects(
    'send messages with a messageId',
    messages((_, rule) => rule === 'data.message-id'),
  )
  .advice('Make a new id for every message, a UUID for example.');

/** "user" of ROLE_USER, user and USER: in which spelling it comes is another matter. */
const plainRole = (role: unknown): unknown =>
  typeof role === 'string' ? role.toLowerCase().replace(/^role_/, '') : role;

// In our words (1.0, 4.1.4 Message): Messages of a client have the role ROLE_USER.
export const messageRole = clientCheck('client-message/role', 'client.message-role')
  .in()
  .expects(
    'send messages of the role of the user',
    eachRealCall(
      (call) => {
        const role = member(wireMessage(call), 'role');
        return plainRole(role) === 'user'
          ? undefined
          : `the role of its message is ${JSON.stringify(role) ?? 'missing'}`;
      },
      ...sends,
    ),
  )
  .advice('Set role to ROLE_USER (0.3: user) in what a client sends.');

// In our words (1.0, 4.1.4 Message): Messages have at least one part.
export const messageParts = clientCheck('client-message/parts', 'client.message-parts')
  .in()
  .expects(
    'send messages with a list of parts',
    messages((path, rule) => rule === 'data.message-parts' && path.endsWith('/parts')),
  )
  .advice('Give every message its parts, as a list; 1.0 wants at least one.');

/** What is of other rows, or of none. */
const besides: ReadonlySet<string> = new Set([
  'data.no-kind',
  'data.no-nulls',
  'data.no-unknown-members',
  'data.part-metadata',
]);

// In our words (1.0, 4.1.6 Part): Each part has exactly one of text, raw, url and data.
export const partContent = clientCheck('client-message/part-content', 'client.part-content')
  .in()
  .expects(
    'send parts that have the content of one kind',
    messages((path, rule) => path.includes('/message/parts/') && !besides.has(rule)),
  )
  .advice('Give each part exactly one of text, raw, url and data (0.3: the members of its kind).');

// In our words (1.0, A.2.1 Breaking Change: Kind Discriminator Removed): Parts may still have the `kind` of 0.3.
export const noKind = clientCheck('client-message/no-kind', 'client.no-kind')
  .in()
  .expects(
    'send messages and parts without the kind of 0.3',
    messages((_, rule) => rule === 'data.no-kind'),
  )
  .advice('Leave kind out in 1.0: the present member states the kind of a part.');

// In our words (1.0, 4.1.6 Part): The text of a message arrives as the user gave it.
export const textAsGiven = clientCheck('client-message/text', 'client.text-as-given')
  .in('send-odd-text')
  .expects(
    'send the text of the user unchanged',
    standing((run) => {
      const words = run.errand.text ?? '';
      const sent = callsOf(run, ...sends).filter(({ message }) => message !== undefined);
      const [first] = sent;
      if (first === undefined) return 'not-concerned';
      const texts = sent.map(({ message }) =>
        (message?.parts ?? []).map((part) => (part.kind === 'text' ? part.text : '')).join(''),
      );
      return texts.some((text) => text.includes(words))
        ? 'holds'
        : `${callName(first)}: its text is ${brief(texts[0])}, and the user said ${brief(words)}`;
    }),
  )
  .but('send')
  .advice('Write the text as JSON in UTF-8: escape nothing for HTML or URLs, and lose no character.');

// In our words (1.0, 4.1.4 Message): Different messages have different ids.
export const messageIdUnique = clientCheck('client-message/id-unique', 'client.message-id-unique')
  .in('card-fresh')
  .expects('give different messages different ids', (run) => {
    const seen = new Map<unknown, string>();
    for (const call of callsOf(run, ...sends)) {
      const id = member(wireMessage(call), 'messageId');
      const content =
        JSON.stringify(wireMessage(call), (name, value) => (name === 'messageId' ? undefined : value)) ?? '';
      const earlier = seen.get(id);
      if (earlier !== undefined && earlier !== content)
        return `${call.exchange.id}: the message has the id of another one, ${String(id)}`;
      seen.set(id, content);
    }
    return seen.size > 1 ? 'holds' : 'not-concerned';
  })
  .advice('Make a new messageId for every message; only a message that is sent again keeps its id.');

/** Members of requests whose names have several words (specification/a2a.proto). */
const longNames: readonly string[] = [
  'messageId',
  'contextId',
  'taskId',
  'referenceTaskIds',
  'mediaType',
  'acceptedOutputModes',
  'historyLength',
  'returnImmediately',
  'taskPushNotificationConfig',
  'pageSize',
  'pageToken',
  'statusTimestampAfter',
  'includeArtifacts',
];
const snakeNames: ReadonlyMap<string, string> = new Map(
  longNames.map((name) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name]),
);
/** What stands in them is the user's. */
const free: ReadonlySet<string> = new Set(['metadata', 'data']);

/** The first member below a value for which `isWrong` says something; objects of the user are left out. */
function wrongBelow(
  value: unknown,
  isWrong: (name: string, member: unknown) => string | undefined,
): string | undefined {
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(), count = 0; next !== undefined && count < 10_000; next = waiting.pop(), count++) {
    if (Array.isArray(next)) waiting.push(...next.slice(0, 1000));
    else if (isObject(next)) {
      for (const [name, inner] of Object.entries(next)) {
        const wrong = isWrong(name, inner);
        if (wrong !== undefined) return wrong;
        if (!free.has(name)) waiting.push(inner);
      }
    }
  }
  return undefined;
}

/** The JSON body of each call that has one. */
const bodies = (isWrong: (name: string, member: unknown) => string | undefined): Judge =>
  eachRealCall(({ body }) => (isObject(body) ? wrongBelow(body, isWrong) : 'skip'));

// In our words (1.0, 5.5 JSON Field Naming Convention): Members of requests are in camelCase.
export const camelCase = clientCheck('client-request/camel-case', 'client.camel-case')
  .in()
  .expects(
    'name members in camelCase',
    bodies((name) => {
      const right = snakeNames.get(name);
      return right === undefined ? undefined : `it has the member ${name}, whose name is ${right}`;
    }),
  )
  .advice('Print JSON with the names of ProtoJSON: messageId, not message_id.');

const roleNames = /^ROLE_(USER|AGENT|UNSPECIFIED)$/;
const stateNames = /^TASK_STATE_[A-Z_]+$/;

// In our words (1.0, 5.5 JSON Field Naming Convention): Enum values are the names of the proto.
export const enumNames = clientCheck('client-request/enum-names', 'client.enum-names')
  .in()
  .expects(
    'spell roles and states as the proto names them',
    bodies((name, value) => {
      const form = name === 'role' ? roleNames : name === 'status' && !isObject(value) ? stateNames : undefined;
      if (form === undefined || (typeof value === 'string' && form.test(value))) return undefined;
      return `its ${name} is ${JSON.stringify(value)}`;
    }),
  )
  .advice('Send ROLE_USER and TASK_STATE_COMPLETED, not user and completed.');

const isUtc = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text));

// In our words (1.0, 5.6.1 Timestamps): Timestamps that the client sends are ISO 8601 in UTC, with Z.
export const timestampsSent = clientCheck('client-request/timestamps', 'client.timestamps-sent')
  .in('list-with-filters')
  .expects(
    'send timestamps in ISO 8601, in UTC, with Z',
    eachRealCall(({ params }) => {
      const time = member(params, 'statusTimestampAfter');
      if (time === undefined || time === null || time === '') return 'skip';
      return typeof time === 'string' && isUtc(time)
        ? undefined
        : `its statusTimestampAfter is ${JSON.stringify(time)}`;
    }, 'list'),
  )
  .advice('Print times in UTC with Z at the end, not with an offset such as +00:00.');

// In our words (1.0, 3.2.4 History Length Semantics): A historyLength of 0 is sent as 0.
export const historyZero = clientCheck('client-request/history-zero', 'client.history-zero')
  .in('history-of-zero')
  .expects(
    'send a historyLength of 0 as 0',
    eachRealCall(({ params }) => {
      const length = member(params, 'historyLength');
      if (length === undefined) return 'it has no historyLength, and 0 was asked for';
      return Number(length) === 0 && length !== '' ? undefined : `its historyLength is ${JSON.stringify(length)}`;
    }, 'get'),
  )
  .advice('Distinguish 0 from an absent value: absent means that the agent chooses.');

// -- HTTP+JSON

const bodyTypes: ReadonlySet<string | undefined> = new Set(['application/a2a+json', 'application/json']);
const hasBody = ({ exchange: { request } }: ClientCall): boolean => (request.body?.length ?? 0) > 0;

// In our words (1.0, 11.1 Protocol Requirements): Bodies have the media type application/a2a+json.
export const restMediaType = clientCheck('client-rest/media-type', 'client.rest-media-type')
  .in()
  .expects(
    'send bodies as application/a2a+json',
    eachRealCall((call) => {
      if (!hasBody(call)) return 'skip';
      const type = mediaType(call.exchange.request.headers);
      return bodyTypes.has(type) ? undefined : `its Content-Type is ${type ?? 'missing'}`;
    }),
  )
  .advice('Set Content-Type to application/a2a+json where there is a body.');

/** Where the paths of the binding begin: what comes before them is the URL of the interface, and the tenant. */
const pathOf = /^(.*?)(\/message:\w+|\/tasks(?:\/.*)?|\/extendedAgentCard)$/;

// In our words (1.0, 11.3 URL Patterns and HTTP Methods): Methods and paths are those of the binding.
export const restPaths = clientCheck('client-rest/paths', 'client.rest-paths')
  .in('interface-later', 'list-with-filters', 'cancel-a-task', 'history-of-zero', 'page-of-configurations')
  .expects('use the methods and paths of the binding', (run) => {
    const { url: interfaceUrl } = run.facts;
    const declared = interfaceUrl === undefined ? (run.base ?? '') : new URL(interfaceUrl).pathname.replace(/\/$/, '');
    const asked = run.calls.filter(({ is }) => is === 'call' || is === 'other');
    for (const { exchange, operation } of asked) {
      const { method, url } = exchange.request;
      const path = new URL(url).pathname.replaceAll(/\/{2,}/g, '/');
      const before = pathOf.exec(path)?.[1];
      if (operation === undefined && (before === declared || interfaceUrl !== undefined))
        return `${exchange.id}: ${method} ${path} is not an operation`;
      if (operation !== undefined && before !== declared)
        return `${exchange.id}: ${method} ${path}, and the URL of the interface ends in ${declared === '' ? 'no path' : declared}`;
    }
    return asked.some(({ operation }) => operation !== undefined) ? 'holds' : 'not-concerned';
  })
  .advice('Join the URL of the interface and the path of the operation, such as /message:send, and nothing between.');

// In our words (1.0, 11.3 URL Patterns and HTTP Methods): One slash stands between the URL of an interface and the path
//   of an operation.
export const restJoined = clientCheck('client-rest/joined-url', 'client.rest-joined-url')
  .in('interface-later', 'url-with-slash')
  .expects(
    'put one slash between the URL of an interface and the path of an operation',
    eachRealCall(({ exchange: { request } }) => {
      const { pathname } = new URL(request.url);
      return pathname.includes('//') ? `its path is ${pathname}` : undefined;
    }),
  )
  .advice('Take the slash from the end of the URL before the path is added.');

/** Names of params that are sent in a query, and of the version. */
const queryNames: ReadonlySet<string> = new Set([...longNames, 'tenant', 'status', 'id']);
const queryOf = ({ exchange: { request } }: ClientCall): readonly (readonly [string, string])[] =>
  [...new URL(request.url).searchParams].filter(([name]) => !/^a2a-/i.test(name));

// In our words (1.0, 11.5 Query Parameter Naming for Request Parameters): Query parameters have the camelCase names of
//   the fields.
export const queryNamesRight = clientCheck('client-rest/query-names', 'client.query-names')
  .in('list-with-filters', 'history-of-zero')
  .expects(
    'name parameters of the query as the fields are named',
    eachRealCall((call) => {
      const query = queryOf(call);
      if (query.length === 0) return 'skip';
      const other = query.find(([name]) => !queryNames.has(name));
      return other === undefined ? undefined : `its query has ${other[0]}, and no field has that name`;
    }),
  )
  .advice('Use contextId, status, pageSize, pageToken, historyLength, statusTimestampAfter and includeArtifacts.');

// In our words (1.0, 11.5 Query Parameter Naming for Request Parameters): Values in the query are percent-encoded.
export const queryEncoded = clientCheck('client-rest/query-encoded', 'client.query-encoded')
  .in('list-with-filters')
  .expects(
    'percent-encode values of the query',
    eachRealCall((call, { errand }) => {
      const query = queryOf(call);
      const given = query.find(([name]) => /^context_?id$/i.test(name))?.[1];
      if (given === undefined) return 'skip';
      const wanted = errand.filter?.contextId;
      return given === wanted
        ? undefined
        : `its contextId is read as ${JSON.stringify(given)}, not as ${JSON.stringify(wanted)}`;
    }, 'list'),
  )
  .advice('Encode + / = & % and spaces in values of the query.');

// In our words (1.0, 11.5 Query Parameter Naming for Request Parameters): pageSize and pageToken of a list of push
//   configurations are in the query.
export const pushListQuery = clientCheck('client-rest/push-list-query', 'client.push-list-query')
  .in('page-of-configurations')
  .expects(
    'send size and token of a page of push configurations in the query',
    eachRealCall((call, { errand: { page } }) => {
      const query = new Map(queryOf(call));
      const wanted = [['pageSize', String(page?.size)] as const, ['pageToken', page?.token] as const];
      const lost = wanted.find(([name, value]) => query.get(name) !== value);
      if (lost === undefined) return undefined;
      const [name, value] = lost;
      return `its ${name} is ${query.get(name) ?? 'missing'}, and ${value} was asked for`;
    }, 'pushList'),
  )
  .advice('Put pageSize and pageToken into the query of the list, encoded.');

// In our words (1.0, 11.4 Request/Response Format): A request without content has no body, or {}.
export const restEmptyBody = clientCheck('client-rest/empty-body', 'client.rest-empty-body')
  .in()
  .expects(
    'send no body, or {}, with a request that has no content',
    eachRealCall(
      (call) => {
        if (!hasBody(call)) return undefined;
        return isObject(call.body) ? undefined : `its body is ${JSON.stringify(call.body) ?? 'no JSON'}`;
      },
      'cancel',
      'subscribe',
      'pushDelete',
    ),
  )
  .advice('Leave the body out, or send {}.');

// -- gRPC

// In our words (1.0, 10.1 Protocol Requirements): Calls have content-type application/grpc and te trailers.
export const grpcHeaders = clientCheck('client-grpc/headers', 'client.grpc-headers')
  .in()
  .expects(
    'send content-type application/grpc and te trailers',
    eachRealCall(({ exchange: { request } }) => {
      const type = mediaType(request.headers);
      if (type === undefined || !/^application\/grpc(\+\w+)?$/.test(type))
        return `its content-type is ${type ?? 'missing'}`;
      const te = header(request.headers, 'te');
      return te === 'trailers' ? undefined : `its te is ${te ?? 'missing'}`;
    }),
  )
  .advice('Use a gRPC library, or send the headers of gRPC over HTTP/2.');
