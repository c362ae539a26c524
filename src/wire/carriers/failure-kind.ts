import { CarrierFailure, type FailureKind } from '../exchange/exchange.js';
import { tlsFact } from './tls-advice.js';

const kinds: Readonly<Record<string, FailureKind>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  EACCES: 'refused',
  EPERM: 'refused',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'malformed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'malformed',
  // undici refused to send the request (a control character in a header, a wrong content-length): no fault of the
  // agent.
  UND_ERR_INVALID_ARG: 'aborted',
  UND_ERR_NOT_SUPPORTED: 'aborted',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'aborted',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  ERR_INVALID_URL: 'aborted',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ENODATA: 'dns',
  EPROTO: 'tls',
};

/** Codes of TLS and of OpenSSL's certificate verification, by their beginning. */
const tlsCode =
  /^(ERR_SSL|ERR_TLS|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISM|PATH_LENGTH)/;

const text = (error: object, name: string): string => {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : '';
};

function kindOf(error: object): FailureKind {
  const code = text(error, 'code');
  if (Object.hasOwn(kinds, code)) return kinds[code] ?? 'reset';
  if (code.startsWith('HPE_') || text(error, 'name') === 'HTTPParserError') return 'malformed';
  if (tlsCode.test(code)) return 'tls';
  return text(error, 'name') === 'AbortError' ? 'aborted' : 'reset';
}

/** An error of an HTTP client or a socket as a failure of the exchange. Unknown errors count as a lost connection. */
export function asCarrierFailure(error: unknown): CarrierFailure {
  if (error instanceof CarrierFailure) return error;
  if (typeof error !== 'object' || error === null) return new CarrierFailure('reset', String(error));
  // Several addresses were tried: the first error stands for all.
  const [first]: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const source = text(error, 'code') === '' && typeof first === 'object' && first !== null ? first : error;
  const code = text(source, 'code');
  const message = text(source, 'message') || String(source);
  const fact = tlsFact(code, message);
  if (fact !== undefined) return new CarrierFailure('tls', fact);
  return new CarrierFailure(kindOf(source), code === '' || message.includes(code) ? message : `${message} (${code})`);
}
