/** What a code of TLS means, and what the user can do. */
interface Meaning {
  readonly fact: string;
  readonly advice: string;
}

const trustIt = (what: string): string =>
  `--ca-file <file> trusts ${what}; --insecure checks no certificate at all, for a test machine`;

const selfSigned: Meaning = {
  fact: 'its certificate is self-signed',
  advice: trustIt('that certificate, in PEM'),
};
const privateAuthority: Meaning = {
  fact: 'its certificate is signed by a private CA, which this machine does not trust',
  advice: trustIt('the certificate of that CA, in PEM'),
};
const unknownAuthority: Meaning = {
  fact: 'its certificate is signed by a CA that this machine does not know, a private one, or certificates between are left out',
  advice: trustIt('the certificate of that CA, in PEM'),
};
/** For an agent that wants a certificate of the kit, or refuses the one it was shown. */
export const certificateAdvice = '--cert-file <file> and --key-file <file> give the kit one, in PEM';
const wantsCertificate: Meaning = {
  fact: 'it wants a certificate of the kit, or refuses the one it was shown (mTLS)',
  advice: certificateAdvice,
};
const noTls: Meaning = {
  fact: 'what answers there speaks no TLS that the kit knows',
  advice: 'is it http:// in place of https://, or the port of another service?',
};

/** By the code of Node or OpenSSL. */
const meanings: Readonly<Record<string, Meaning>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: privateAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_HAS_EXPIRED: {
    fact: 'its certificate has expired',
    advice: 'renew it; --insecure checks no certificate at all, for a test machine',
  },
  CERT_NOT_YET_VALID: {
    fact: 'its certificate is not valid yet',
    advice: 'is the clock of this machine right?',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    fact: 'its certificate is for another name',
    advice: 'use the name of the certificate in --url; --resolve <name>:<address> says where it is',
  },
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: wantsCertificate,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: wantsCertificate,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: wantsCertificate,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: wantsCertificate,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  EPROTO: noTls,
};

const meaningOf = (code: string): Meaning | undefined => (Object.hasOwn(meanings, code) ? meanings[code] : undefined);

/** The same alerts where Node names them by their words, with the code of a broken protocol. */
const alert = /alert (?:handshake failure|bad certificate|certificate required|unknown ca)/;
const alertCode = 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE';

/** A failure of TLS in plain words, with its code; undefined: the words of Node have to do. */
export function tlsFact(code: string, message: string): string | undefined {
  const alertName = code === 'EPROTO' && alert.test(message) ? alertCode : code;
  const meaning = meaningOf(alertName);
  return meaning && `${meaning.fact} (${alertName})`;
}

/** Whether the agent ended the connection for want of a certificate. */
export const wantsKitCertificate = (code: string): boolean => meaningOf(code) === wantsCertificate;

/** What helps against a failure of TLS, from the detail of an exchange; undefined: nothing that an option could do. */
export function tlsAdvice(detail: string): string | undefined {
  const [, code = ''] = /\(([A-Z][A-Z0-9_]+)\)$/.exec(detail) ?? [];
  return meaningOf(code)?.advice;
}
