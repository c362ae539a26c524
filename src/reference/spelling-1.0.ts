import type { Dialect } from '../dialect/index.js';
import type { JsonObject } from '../model/index.js';
import { given10, mediaTypes10, problems10 } from './params-1.0.js';
import type { AgentTraits } from './spelling.js';

const domain = 'a2a-protocol.org';

const detail = (type: string, members: JsonObject): JsonObject => ({
  '@type': `type.googleapis.com/google.rpc.${type}`,
  ...members,
});

/** How an agent of A2A 1.0 and of versions that derive from it differs from 0.3. */
export const spelling10 = ({ errors, protocolVersion = '1.0' }: Dialect): Partial<AgentTraits> => ({
  absent: [],
  versions: [protocolVersion],
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
    // §5.4, §9.5
    const reason = errors[failure]?.http?.reason;
    if (reason === undefined) return undefined;
    const metadata = failure === 'VersionNotSupported' ? { supportedVersions: protocolVersion } : undefined;
    return [detail('ErrorInfo', { reason, domain, ...(metadata === undefined ? {} : { metadata }) })];
  },
  notice: (event, _, { operations }) => operations.stream?.result.encode(event as never),
});
