import {
  array,
  flag,
  object,
  oneOf,
  optional,
  type Reader,
  text,
  textThat,
  whole,
} from '../../../../src/reference/patching.js';
import {
  type ChainAccount,
  type ChainAgent,
  type ChainDelegate,
  type ChainFlag,
  type ChainKey,
  type ChainKyc,
  type ChainKycClaim,
  type ChainPermission,
  type ChainWait,
  type FailureMode,
  isAccountName,
  readPublicKey,
} from '../../signing/index.js';

// Readers of the state that a client may set in the stub: only what a chain could hold. All of them throw
// `StubInputError`.

const weight = whole(0, 65_535);
const seconds = whole(0, 2 ** 32 - 1);
const chainFlag: Reader<ChainFlag> = oneOf([true, false, 0, 1]);

export const readName = textThat(
  1000,
  isAccountName,
  'must be a name of the chain: 1 to 12 of a-z, 1-5 and dots, no dot at the end',
);

/** K1 keys are checked completely, keys of other curves by the form of their text only. */
function isKey(key: string): boolean {
  if (!/^(EOS|PUB_K1_)/.test(key)) return /^PUB_(R1|WA)_[1-9A-HJ-NP-Za-km-z]+$/.test(key);
  try {
    return readPublicKey(key).length > 0;
  } catch {
    return false;
  }
}

const readKey = object<ChainKey>({
  key: textThat(500, isKey, 'must be the text of a public key: PUB_K1_…, EOS…, PUB_R1_… or PUB_WA_…'),
  weight,
});
const readDelegate = object<ChainDelegate>({ actor: readName, permission: readName, weight });
const readWait = object<ChainWait>({ seconds, weight });
const readPermission = object<ChainPermission>({
  name: readName,
  parent: optional(textThat(12, (name) => name === '' || isAccountName(name), 'must be a name or empty')),
  threshold: whole(0, 2 ** 32 - 1),
  keys: array(readKey, 100),
  accounts: optional(array(readDelegate, 100)),
  waits: optional(array(readWait, 10)),
});

export const readAccount = object<ChainAccount>({
  name: readName,
  permissions: array(readPermission, 20),
  legacyKeys: optional(flag),
});

export const readAgent = object<ChainAgent>({
  account: readName,
  active: optional(chainFlag),
  registeredAt: optional(seconds),
  owner: optional(readName),
  name: optional(text(200)),
  description: optional(text(2000)),
  endpoint: optional(text(2000)),
  protocol: optional(text(200)),
  capabilities: optional(array(text(200), 100)),
  totalJobs: optional(whole(0, Number.MAX_SAFE_INTEGER)),
});

const readClaim = object<ChainKycClaim>({ kyc_provider: readName, kyc_level: text(2000), kyc_date: seconds });
const readLevel = whole(0, 100);

export const readKyc = object<ChainKyc>({
  account: readName,
  verified: optional(chainFlag),
  kyc: array<number | ChainKycClaim>(
    (value, where) => (typeof value === 'number' ? readLevel(value, where) : readClaim(value, where)),
    20,
  ),
});

export const failureModes = [
  'down',
  'slow',
  'html',
  'not-found',
  'wrong-shape',
  'null',
  'foreign-row',
  'server-error',
] as const satisfies readonly FailureMode[];

export interface FailureOrder {
  readonly account: string;
  readonly mode?: FailureMode;
}

export const readFailure = object<FailureOrder>({
  account: textThat(12, (name) => name === '*' || isAccountName(name), 'must be a name of the chain, or *'),
  mode: optional(oneOf(failureModes)),
});
