import { isObject, type JsonObject } from '../model/index.js';
import { bodyText, type Carrier, mediaType } from '../wire/index.js';
import type { Incoming, Reply } from './calls.js';
import { carry } from './carrier.js';
import { jsonReply } from './replies.js';
import { StubInputError } from './stub-input.js';

// The control of any stub over HTTP.

const prefix = '/control/';

/** What an operation answers to the JSON object that it was sent. Throws `StubInputError` for a wrong one. */
export type ControlOperation<Control> = (control: Control, body: JsonObject) => Promise<JsonObject>;

/** An operation with a body of its own shape. It answers the object that `give` returns, or `{ done: true }`. */
export const operation =
  <Control, T>(
    read: (body: unknown, where: string) => T,
    give: (control: Control, read: T) => Promise<unknown>,
  ): ControlOperation<Control> =>
  async (control, body) => {
    const answer = await give(control, read(body, 'body'));
    return isObject(answer) ? answer : { done: true };
  };

const refuse = (status: number, error: string): Reply => jsonReply(status, { error });

/** Throws `StubInputError`. */
function bodyOf({ body }: Incoming): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(bodyText(body));
  } catch {
    throw new StubInputError('the body is not JSON');
  }
  if (!isObject(value)) throw new StubInputError('the body must be a JSON object');
  return value;
}

/**
 * `POST /control/<operation>` with a JSON object; 200 with what the operation answers, otherwise `{ error }`, a sentence.
 * Nothing else is served. `operations`: by the last part of their path.
 */
export function controlOver<Control>(
  operations: ReadonlyMap<string, ControlOperation<Control>>,
  control: Control,
  mostBytes: number,
): Carrier {
  async function serve(request: Incoming): Promise<Reply> {
    const { pathname } = new URL(request.url);
    const give = pathname.startsWith(prefix) ? operations.get(pathname.slice(prefix.length)) : undefined;
    if (give === undefined) {
      return refuse(404, `there is only POST ${prefix}<operation>; operations: ${[...operations.keys()].join(', ')}`);
    }
    if (request.method !== 'POST') return refuse(405, 'the method must be POST');
    // A web page in a browser can send text anywhere, but no JSON.
    if (mediaType(request.headers) !== 'application/json') {
      return refuse(415, 'the content type must be application/json');
    }
    if ((request.body?.byteLength ?? 0) > mostBytes) return refuse(413, `the body is larger than ${mostBytes} bytes`);
    return jsonReply(200, await give(control, bodyOf(request)));
  }
  return carry(async (request) => {
    try {
      return await serve(request);
    } catch (cause) {
      if (!(cause instanceof StubInputError)) throw cause;
      return refuse(400, cause.message);
    }
  });
}
