import type { ErrorName, JsonObject } from '../model/index.js';
import { given10, mediaTypes10, problems10 } from './params-1.0.js';
import type { AgentTraits } from './spelling.js';

const domain = 'a2a-protocol.org';
const served = ['1.0'];

/** §5.4, §9.5: `reason` is the name of the error in upper case, without "Error". Others have none. */
const reasons: Readonly<Partial<Record<ErrorName, string>>> = {
  TaskNotFound: 'TASK_NOT_FOUND',
  TaskNotCancelable: 'TASK_NOT_CANCELABLE',
  PushNotificationNotSupported: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  UnsupportedOperation: 'UNSUPPORTED_OPERATION',
  ContentTypeNotSupported: 'CONTENT_TYPE_NOT_SUPPORTED',
  InvalidAgentResponse: 'INVALID_AGENT_RESPONSE',
  ExtendedCardNotConfigured: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  ExtensionSupportRequired: 'EXTENSION_SUPPORT_REQUIRED',
  VersionNotSupported: 'VERSION_NOT_SUPPORTED',
};

const detail = (type: string, members: JsonObject): JsonObject => ({
  '@type': `type.googleapis.com/google.rpc.${type}`,
  ...members,
});

/** How an agent of A2A 1.0 differs from 0.3. */
export const spelling10: Partial<AgentTraits> = {
  absent: [],
  protocolVersion: '1.0',
  versions: served,
  // Clients of 0.3 and of the guide know the old name.
  extensionHeaders: ['A2A-Extensions', 'X-A2A-Extensions'],
  // §3.3.4
  undeclared: {
    streaming: 'UnsupportedOperation',
    push: 'PushNotificationNotSupported',
    extendedCard: 'UnsupportedOperation',
  },
  // §3.2.2: blocking unless the client says otherwise.
  patienceMs: Number.POSITIVE_INFINITY,
  // §3.1.6
  refusesFinished: true,
  // §8.6.1
  cardMaxAge: 3600,
  // §3.2.3
  wrapper: { task: 'task', message: 'message', status: 'statusUpdate', artifact: 'artifactUpdate' },
  // §4.3.3
  noticeType: 'application/a2a+json',
  httpErrors: 'status',
  httpParams: (body) => body,
  given: given10,
  problems: problems10,
  mediaTypes: mediaTypes10,
  details({ failure, field, message }) {
    if (failure === 'InvalidParams') {
      return field === undefined
        ? undefined
        : [detail('BadRequest', { fieldViolations: [{ field, description: message }] })];
    }
    const reason = reasons[failure];
    if (reason === undefined) return undefined;
    const metadata = failure === 'VersionNotSupported' ? { supportedVersions: served.join(', ') } : undefined;
    return [detail('ErrorInfo', { reason, domain, ...(metadata === undefined ? {} : { metadata }) })];
  },
  notice: (event, _, { operations }) => operations.stream?.result.encode(event as never),
};
