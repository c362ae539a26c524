import { clientCheck, understands } from '../../src/kit/index.js';

export const lineEnds = clientCheck('client-stream/line-ends', 'client.stream-line-ends')
  .in('stream-crlf', 'stream-cr')
  .expects('read lines that end in CRLF, and lines that end in CR', understands)
  .but('stream')
  .advice('Split the stream at LF, at CRLF and at CR; a parser of Server-Sent Events from a library does.')
  .killedBy('client-lf-only');

export const streamRules = [lineEnds];
