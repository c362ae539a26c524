import type { Requirement } from '../../ledger/index.js';
import { levels } from '../../model/index.js';
import type { Finding } from '../../report/index.js';
import type { FuzzStage } from '../../run/index.js';
import { plural, printable, shortExchange } from '../../wire/index.js';
import { callsOf } from '../case/case.js';
import { requestsOf } from '../case/joined.js';
import { caseDocument } from '../case/stored-case.js';
import { settledCause } from '../confirm/cause.js';
import type { Settled } from '../confirm/settlement.js';
import { isPaymentMutation } from '../mutate/wire-mutations.js';
import type { Confirmed, Suspect } from '../schedule/campaign-settings.js';
import { findingId } from './bucket.js';
import { requestsAs, scriptOf } from './script/script.js';

/** Limits of the report: exchanges of one finding, and the size of the headers of each. */
const mostExchanges = 16;
const mostHeaders = 16 * 1024;

const sentenceOf = ({ id, section, statement, level }: Requirement): string =>
  `${id}, ${section} (${level.toUpperCase()}): ${statement}`;

/** What a script says to its user when curl cannot send the case. */
const signing = 'The requests are signed when they are sent, which curl cannot do. Name the signer as in any run:';
const joining = ['This script joins several cases that were not run again; the kit sends them one after the other.'];
const paying = [
  'A payment is valid for one task and two minutes, so the kit makes a new one. Its wallets have no money.',
];

const comparing = ['The requests are sent over two bindings of the agent, and the kit compares the answers.'];
const messaging = ['The requests are messages of gRPC, which a shell can neither write nor read.'];

/** The finding of a settled symptom, with the exchanges of the run that showed it first. */
export function findingOf(
  found: Settled,
  { bucket, symptom: seen, number }: Suspect,
  stage: FuzzStage,
  kit: string,
): Confirmed {
  const { symptom, times, of, shown } = found;
  const { ledger, redactor, client } = stage;
  const { dialect, endpoint } = client;
  const rows = symptom.keys.flatMap((key) => ledger.row(key) ?? []);
  const level = levels.find((level) => rows.some((row) => row.level === level));
  const title = printable(redactor.text(symptom.title), 300);
  const detail = printable(redactor.text(symptom.detail), 1500);
  const id = findingId(settledCause({ ...seen, bucket }, found.case));
  // The case may contain ids from the agent.
  const replay: unknown = redactor.value(caseDocument(found.case, kit, { bucket, why: title }));
  const sent = [...(shown[0]?.trace.sent.slice(-mostExchanges) ?? []), ...(symptom.beside ?? [])];
  const exchanges = sent.map(({ exchange }) => ({ ...shortExchange(exchange, mostHeaders), id: stage.nextId() }));
  const origin = `a2a-tck fuzz, seed ${stage.seed}, case ${number}, ${dialect.id}; ${of === 0 ? 'seen once, never run again' : `seen ${plural(times, 'time')} of ${of}`}${found.isNeverFresh ? ', but never on a restarted agent' : ''}`;
  const { signed } = dialect;
  const pays = callsOf(found.case).some(({ tricks = [] }) => tricks.some(isPaymentMutation));
  const isMessage = dialect.binding.requests === 'messages';
  // Only a case that was sent itself can be written out as requests.
  const isWhole = shown[0]?.trace.case === found.case || of > 0;
  const isCurl = signed === undefined && !pays && isWhole && !isMessage && symptom.beside === undefined;
  const trace = shown[0]?.trace;
  // A race, or a state that other requests cause, does not come each time.
  const isRare = times < of || found.case.steps.some(({ step }) => step === 'together');
  const script = scriptOf({
    id,
    title,
    detail,
    sentences: rows.map(sentenceOf),
    origin,
    replay,
    url: redactor.text(stage.target.url),
    options: [
      ...(symptom.beside === undefined ? [`--binding ${dialect.binding.id}`] : []),
      ...(stage.charges === undefined ? [] : [`--${stage.charges.pack}`]),
      ...(isRare ? ['--confirm 20'] : []),
      `--timeout ${stage.limits.timeoutMs}`,
    ],
    callers: client,
    needs: [
      ...(isMessage ? messaging : []),
      ...(symptom.beside === undefined ? [] : comparing),
      ...(pays ? paying : []),
      ...(signed === undefined ? [] : [signing, signed.inScripts]),
      ...(isWhole ? [] : joining),
    ],
    kit: kit.replace(' ', '@'),
    requests:
      isCurl && trace !== undefined
        ? requestsAs(trace, { dialect, endpoint, callers: client, redact: redactor.redactExchange })
        : undefined,
  });
  const finding: Finding = {
    id,
    oracle: symptom.oracle,
    bucket: redactor.text(bucket),
    title,
    detail,
    ...(level === undefined ? {} : { level }),
    requirements: rows.map((row) => row.id),
    confirmed: { times, of },
    steps: requestsOf(found.case),
    seed: stage.seed,
    case: number,
    script: redactor.text(script),
    replay,
    exchanges: exchanges.map((exchange) => exchange.id),
  };
  return { finding, exchanges };
}
