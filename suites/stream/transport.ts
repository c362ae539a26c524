import { bodyText, brief, isObject, law, mediaType, type Reading, type ReadReply } from '../../src/kit/index.js';

// A2A 0.3 §3.3.1 JSON-RPC 2.0 Streaming, §7.2, §7.9; 1.0 §9.4.2, §9.4.6. Judges both streaming methods.

const noStream = { otherwise: 'no stream came' };
const noSubscription = { otherwise: 'set behaviours.long-running: no subscription came as a stream' };

type Found = 'holds' | 'not-concerned' | string;

const has = (value: unknown, name: string): boolean => isObject(value) && Object.hasOwn(value, name);
/** The stream brought at least one update. */
const delivers = ({ replies }: Reading): boolean => replies.some(({ said }) => said?.type === 'result');

/** Strict clients take no other 2xx status. */
function status(reading: Reading): Found {
  if (reading.stream === undefined || !delivers(reading)) return 'not-concerned';
  const found = reading.exchange.response?.status;
  return found === 200 ? 'holds' : `the HTTP status of a stream is ${found}`;
}

/** Fields of server-sent events at the start of a line (WHATWG HTML §9.2.5). */
const looksStreamed = /^(data|event|id|retry)?:/m;

function type(reading: Reading): Found {
  const { response } = reading.exchange;
  const { operation, valid } = reading;
  if ((operation !== 'stream' && operation !== 'subscribe') || !valid || response === undefined) return 'not-concerned';
  if (reading.stream !== undefined) return delivers(reading) ? 'holds' : 'not-concerned';
  const isStream = looksStreamed.test(bodyText(response.body.subarray(0, 1000)));
  if (response.status >= 300 || !(isStream || delivers(reading))) return 'not-concerned';
  const found = mediaType(response.headers) ?? 'missing';
  return isStream ? `the content type of a stream is ${found}` : `one result came as ${found}, and no stream`;
}

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Two neighbouring events are JSON only when joined. */
function split(replies: readonly ReadReply[]): boolean {
  return replies.some(({ problem, text }, at) => {
    const next = replies[at + 1];
    return problem !== undefined && next?.problem !== undefined && parses(text + next.text);
  });
}

function framing({ stream, replies, exchange }: Reading): Found {
  if (stream === undefined || exchange.response?.body.length === 0) return 'not-concerned';
  const [problem] = stream.framing();
  if (problem !== undefined) return problem;
  return split(replies) ? 'one JSON text is split over two events' : 'holds';
}

function envelope({ stream, replies }: Reading): Found {
  if (stream === undefined || replies.length === 0) return 'not-concerned';
  for (const [at, { value, problem, text }] of replies.entries()) {
    const where = `event ${at + 1}`;
    if (problem !== undefined) return `the data of ${where} are not JSON: ${brief(text, 60)}`;
    if (!isObject(value)) return `the data of ${where} are ${brief(value)}`;
    if (value['jsonrpc'] !== '2.0') return `jsonrpc of ${where} is ${brief(value['jsonrpc'])}`;
    if (has(value, 'result') === has(value, 'error')) {
      return `${where} has ${has(value, 'result') ? 'both result and error' : 'neither result nor error'}`;
    }
  }
  return 'holds';
}

function id({ replies, rpcId, valid }: Reading): Found {
  // JSON-RPC 2.0 §4: ids are strings, numbers or null. No rule says how an invalid id comes back.
  if (typeof rpcId === 'object' && rpcId !== null) return 'not-concerned';
  const odd = replies.findIndex(({ value }) => {
    if (!isObject(value) || value['id'] === rpcId) return false;
    // AMB03-20: the id null is right for an invalid request.
    return valid || value['id'] !== null;
  });
  if (odd < 0) return replies.length > 0 ? 'holds' : 'not-concerned';
  const { value } = replies[odd] ?? {};
  return `the request had the id ${brief(rpcId)}, event ${odd + 1} has ${brief(isObject(value) ? value['id'] : undefined)}`;
}

// In our words (1.0, 9.4.2 SendStreamingMessage): A started stream answers with HTTP 200.
export const httpStatus = law(
  'stream/http-status',
  'stream.http-status',
  'have the HTTP status 200',
  { ...noStream, advice: 'Set status 200 before the first event: 201 and 202 are for other answers.' },
  status,
);

// In our words (1.0, 9.4.2 SendStreamingMessage): A started stream has Content-Type text/event-stream.
export const contentType = law(
  'stream/content-type',
  'stream.content-type',
  'come as text/event-stream',
  {
    ...noStream,
    advice: 'Set Content-Type: text/event-stream before the first event: clients decide by it how to read the answer.',
  },
  type,
);

// In our words (1.0, 9.4.2 SendStreamingMessage): The body is well-formed SSE.
export const sse = law(
  'stream/sse-framing',
  'stream.sse',
  'be well-formed server-sent events',
  {
    ...noStream,
    advice:
      'Each event is a line that begins with "data: ", and an empty line after it. Encode line breaks in the JSON.',
  },
  framing,
);

// In our words (1.0, 9.4.2 SendStreamingMessage): Every event's data is one complete JSON-RPC response object.
export const envelopes = law(
  'stream/envelope',
  'stream.envelope',
  'carry one whole JSON-RPC response in each event, with a result or an error',
  { ...noStream, advice: 'The update stands in the member result of a JSON-RPC response, not in the data themselves.' },
  envelope,
);

// In our words (1.0, 9.4.2 SendStreamingMessage): Every streamed response carries the id of the request.
export const idEchoed = law(
  'stream/id-echoed',
  'stream.id-echoed',
  'carry the id of the request in each event',
  {
    ...noStream,
    advice:
      'Put the id of the call that opened this stream into each event: keep it with the stream, not in a variable that all share.',
  },
  (reading) => (reading.stream?.operation === 'stream' ? id(reading) : 'not-concerned'),
);

// In our words (0.3, 3.3.1 JSON-RPC 2.0 Streaming): A resubscribe stream is HTTP 200 text/event-stream with JSON-RPC
//   responses.
export const subscriptionTransport = law(
  'stream/subscription-transport',
  'sub.transport',
  'have HTTP status 200 and well-formed events of JSON-RPC responses, when it is a subscription',
  {
    ...noSubscription,
    advice:
      'Serve tasks/resubscribe by the code of message/stream: status 200, text/event-stream, a JSON-RPC response in each event.',
  },
  (reading) => {
    if (reading.operation !== 'subscribe') return 'not-concerned';
    const found = [status, type, framing, envelope].map((judge) => judge(reading));
    return (
      found.find((judgement) => judgement !== 'holds' && judgement !== 'not-concerned') ??
      (delivers(reading) ? 'holds' : 'not-concerned')
    );
  },
);

// In our words (1.0, 9.4.6 SubscribeToTask): Events of a subscription carry the id of the subscribe request.
export const subscriptionId = law(
  'stream/subscription-id',
  'sub.id-echoed',
  'carry the id of the subscription',
  {
    ...noSubscription,
    advice:
      'Put the id of the subscribe request into its events: updates that were serialized for another stream have the id of that one.',
  },
  (reading) => (reading.stream?.operation === 'subscribe' ? id(reading) : 'not-concerned'),
);
