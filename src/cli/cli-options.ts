import type { BindingId } from '../binding/index.js';
import type { Expectation } from '../expect/index.js';
import type { Behaviours } from '../kit/index.js';

/** The user's options, from a configuration file or from arguments. Both spell the names as in `min-proof`. */
export interface CliOptions {
  readonly url?: string;
  readonly profile?: string;
  readonly binding?: BindingId | 'auto' | 'all';
  readonly suite?: readonly string[];
  readonly check?: readonly string[];
  readonly level?: 'must' | 'should' | 'may';
  readonly strict?: boolean;
  readonly minProof?: number;
  readonly failFast?: boolean;
  /** `<format>` or `<format>=<file>`. */
  readonly report?: readonly string[];
  readonly json?: boolean;
  /** An https URL. */
  readonly badgeLink?: string;
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
  /** The id of a frozen set. */
  readonly set?: string;
  readonly seed?: number;
  readonly timeout?: number;
  /** Seconds. */
  readonly maxTime?: number;
  /** Seconds. */
  readonly wait?: number;
  readonly concurrency?: number;
  readonly budget?: { readonly requests?: number; readonly tasks?: number };
  /** `1/4`. */
  readonly shard?: string;
  readonly readOnly?: boolean;
  /** File for the signed result. */
  readonly attest?: string;
  readonly attestKeyFile?: string;
  /** `Name: value`. */
  readonly header?: readonly string[];
  /** Name of the environment variable that holds the token. */
  readonly bearerEnv?: string;
  /** Names of the environment variables that hold the client of an OAuth server, and its secret. */
  readonly oauthClientIdEnv?: string;
  readonly oauthClientSecretEnv?: string;
  /** Scopes with spaces between. */
  readonly oauthScope?: string;
  /** `name=VARIABLE`: a parameter in the URL, and the environment variable that holds its value. */
  readonly queryEnv?: readonly string[];
  /** The same for a second caller, who must have no access to what belongs to the first. */
  readonly secondHeader?: readonly string[];
  readonly secondBearerEnv?: string;
  readonly secondQueryEnv?: readonly string[];
  readonly allowOrigin?: readonly string[];
  /** PEM: certificates that are trusted too, and the certificate and key of the kit. */
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  /** Certificates are not checked. */
  readonly insecure?: boolean;
  /** `host:address` or `host:port:address`. */
  readonly resolve?: readonly string[];
  /** Where the kit listens for push notifications: `<host>[:<port>]`. */
  readonly webhook?: string;
  /** The URL at which the agent reaches that address. */
  readonly webhookUrl?: string;
  /** A shell command that restarts the agent. */
  readonly restartCommand?: string;
  /** For the XPR dialect: the accounts that sign, and how. */
  readonly xprAccount?: string;
  readonly xprKeyFile?: string;
  /** Only as an argument. */
  readonly xprKey?: string;
  readonly xprSecondAccount?: string;
  readonly xprSecondKeyFile?: string;
  readonly xprUnregisteredAccount?: string;
  readonly xprUnregisteredKeyFile?: string;
  readonly xprDigest?: 'v1' | 'v2' | 'auto';
  readonly xprAudience?: string;
  readonly xprChainId?: string;
  readonly xprRpc?: string;
  readonly xprRate?: number;
  readonly xprAllowSend?: boolean;
  readonly xprMinKyc?: number;
  readonly xprMinTrust?: number;
  readonly xprStub?: string;
  /** Payments are judged. The `x402` members below and `dryRun` need it. */
  readonly x402?: boolean;
  readonly x402Message?: string;
  readonly x402KeyFile?: string;
  /** Only as an argument. */
  readonly x402Key?: string;
  /** Atomic units. */
  readonly x402MaxAmount?: string | number;
  readonly x402MaxTotal?: string | number;
  readonly x402AllowNetwork?: readonly string[];
  /** `<network>:<address>`. */
  readonly x402Asset?: readonly string[];
  /** Offers may be paid that charge before the work. */
  readonly x402AllowUpfront?: boolean;
  readonly x402Timeout?: number;
  readonly x402Stub?: string;
  /** Signs nothing with the key of the wallet, and reports what would be signed. */
  readonly dryRun?: boolean;
  /** Waits of more than a minute are allowed. */
  readonly slow?: boolean;
  readonly verbose?: boolean;
  /** Inputs tried after the checks. */
  readonly fuzzRuns?: number;
  /** For `fuzz`: cases, seconds, requests per second, folders. */
  readonly runs?: number;
  readonly time?: number;
  readonly rate?: number | string;
  readonly corpus?: string;
  readonly out?: string;
  readonly unguided?: boolean;
  readonly confirm?: number;
  /** Only as an argument: a file or a folder. */
  readonly replay?: string;
  /** Only in a configuration file. */
  readonly behaviours?: Behaviours;
  readonly expect?: readonly Expectation[];
}

/** The options as they are given on the command line. */
export interface CliArguments extends CliOptions {
  /** false: not even one that is found. */
  readonly config?: string | false;
  /** Only what failed, or what was inconclusive, in the last run; both: what was either. */
  readonly lastFailed?: boolean;
  readonly lastUnproven?: boolean;
  /** Run again when the agent comes back; texts: or when files that these globs name change. */
  readonly watch?: true | readonly string[];
}
