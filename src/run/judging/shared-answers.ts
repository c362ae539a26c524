import { hash } from 'node:crypto';
import { type Dialect, lineOf, methodOf } from '../../dialect/index.js';
import { kindOf, noteOf, type Outcome, plural, type Recorded, type Target } from '../../kit/index.js';
import { brief } from '../../model/index.js';
import { bodyText, type Exchange, excerpt, header, mediaType } from '../../wire/index.js';

// Answers that many failures are read from. Only evidence that is identical makes failures one: the same status and the
// same body, where neither is an answer of the binding; or the same request header that no agent reads.

/** Answers that are evidence of one thing. */
export interface SharedAnswer {
  readonly id: string;
  readonly fact: string;
  readonly advice: string;
  readonly shownBy: readonly Exchange[];
  /** Whether an answer is one of them. */
  shares(recorded: Recorded): boolean;
  /** Keys of the rows whose checks tell the most, those first. */
  readonly owners: readonly string[];
  /** Every call that is valid is answered so. */
  readonly isOfAll: boolean;
}

/** No answer of the binding, whatever was asked: a page, other JSON, a bare status. */
function isForeign(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'refusal') return !outcome.inForm && outcome.error === undefined;
  return outcome.kind === 'invalid-response' && ['not-json', 'no-envelope', 'empty', 'http'].includes(outcome.fault);
}

/** Equal for answers that are the same, byte by byte, and no answers of the binding; undefined: it is one. */
export const foreignAnswerOf = noteOf(({ outcome, exchange: { response } }): string | undefined => {
  if (response === undefined || !isForeign(outcome)) return undefined;
  const { status, headers, body } = response;
  return `${status} ${mediaType(headers) ?? ''} ${hash('sha256', body)}`;
});

interface Basis {
  readonly readings: readonly Recorded[];
  readonly target: Target;
  readonly dialect: Dialect;
}

const isOfRun = ({ operation, exchange }: Recorded): boolean =>
  operation !== undefined && exchange.purpose !== 'detection' && exchange.failure === undefined;

/**
 * Answers that valid calls get, and that are none of the binding. What only broken requests get is left out: a page of
 * the framework may stand for one defect or for several.
 */
export function foreignAnswers({ readings, dialect }: Basis): readonly SharedAnswer[] {
  const { title } = dialect.binding;
  const valid = readings.filter((recorded) => recorded.valid && isOfRun(recorded));
  const byKind = new Map<string, Recorded[]>();
  for (const recorded of valid) {
    const kind = foreignAnswerOf(recorded);
    if (kind === undefined) continue;
    const own = byKind.get(kind);
    if (own === undefined) byKind.set(kind, [recorded]);
    else own.push(recorded);
  }
  return [...byKind].flatMap(([kind, own]): readonly SharedAnswer[] => {
    const shares = (recorded: Recorded): boolean => foreignAnswerOf(recorded) === kind;
    if (own.length < 2) return [];
    const isOfAll = own.length === valid.length;
    const [first] = own;
    const response = first?.exchange.response;
    const status = response?.status ?? 0;
    const body = response?.body ?? new Uint8Array();
    const what = body.length === 0 ? 'no body' : brief(bodyText(body.subarray(0, 400)), 100);
    const answer = `HTTP ${status}, ${response && (mediaType(response.headers) ?? 'no content type')}, ${what}`;
    const methods = [...new Set(own.flatMap(({ operation }) => (operation && methodOf(dialect, operation)) ?? []))];
    const shared: SharedAnswer = {
      id: isOfAll ? 'answer' : `answer:${status}:${hash('sha256', kind).slice(0, 8)}`,
      fact: isOfAll
        ? `no call gets an answer of ${title}: each of ${plural(own.length, 'valid call')} is answered with ${answer}`
        : `${plural(own.length, 'valid call')} (${methods.slice(0, 6).join(', ')}) got the same answer, which is none of ${title}: ${answer}`,
      advice:
        status >= 500
          ? 'look into the log of the server: this is what it answers when something breaks'
          : `is the URL in the card that of an agent that speaks ${title}? A proxy, or a page for people, may stand there`,
      shownBy: first === undefined ? [] : [first.exchange],
      shares,
      owners: ['card.endpoint-answers', 'send.implemented', 'rpc.response-object'],
      isOfAll,
    };
    return [shared];
  });
}

const versionHeader = 'a2a-version';

/** Calls in versions that the agent does not serve, if it takes each of them: it does not read the version. */
export function unreadVersion({ readings, dialect, target }: Basis): readonly SharedAnswer[] {
  const own = header(dialect.headers, versionHeader);
  if (own === undefined) return [];
  const { interfaces, protocolVersion } = target.card;
  const stated = [own, protocolVersion, ...interfaces.map(({ version }) => version)];
  const served = new Set(stated.flatMap((version) => (version === undefined ? [] : (lineOf(version) ?? []))));
  /** Without the header a call is one of 0.3 (1.0 §3.6.2). */
  const isOther = ({ operation, exchange: { request } }: Recorded): boolean => {
    const line = lineOf(header(request.headers, versionHeader) || '0.3');
    const isNamedElsewhere = /[?&]a2a-version=/i.test(request.url);
    return operation !== undefined && !isNamedElsewhere && (line === undefined || !served.has(line));
  };
  const shares = (recorded: Recorded): boolean => isOther(recorded) && kindOf(recorded) === 'result';
  const asked = readings.filter((recorded) => isOther(recorded) && isOfRun(recorded));
  const [first] = asked;
  if (first === undefined || asked.length < 2 || !asked.every(shares)) return [];
  const named = [...new Set(asked.map(({ exchange }) => header(exchange.request.headers, versionHeader) ?? 'none'))];
  return [
    {
      id: 'version-unread',
      fact: `the agent does not read the version of a call: ${plural(asked.length, 'call')} under versions that the card does not declare (${named.map((version) => excerpt(version, 20)).join(', ')}) were answered as calls of ${own}`,
      advice: 'read A2A-Version of each call, and refuse the versions that you do not serve as VersionNotSupported',
      shownBy: [first.exchange],
      shares,
      owners: ['ver.unsupported-refused'],
      isOfAll: false,
    },
  ];
}
