// How a stub of the chain is controlled, in the same process or over HTTP. XPR: what a server asks the chain.

export interface ChainKey {
  /** `PUB_K1_…` or `EOS…`; the node serves keys of other curves unchanged. */
  readonly key: string;
  readonly weight: number;
}

/** Another account that may act for this one. */
export interface ChainDelegate {
  readonly actor: string;
  readonly permission: string;
  readonly weight: number;
}

export interface ChainWait {
  readonly seconds: number;
  readonly weight: number;
}

export interface ChainPermission {
  readonly name: string;
  /** Default: none for `owner`, `owner` for `active`, `active` for all others. */
  readonly parent?: string;
  readonly threshold: number;
  readonly keys: readonly ChainKey[];
  readonly accounts?: readonly ChainDelegate[];
  readonly waits?: readonly ChainWait[];
}

export interface ChainAccount {
  readonly name: string;
  readonly permissions: readonly ChainPermission[];
  /** Its keys are served as `EOS…`. Default: as `PUB_K1_…`. */
  readonly legacyKeys?: boolean;
}

/** Chains use both forms for yes and no. */
export type ChainFlag = boolean | 0 | 1;

/** A row of the table of registered agents. */
export interface ChainAgent {
  readonly account: string;
  /** Default 1. */
  readonly active?: ChainFlag;
  /** Unix seconds. Default: now. */
  readonly registeredAt?: number;
  /** The account that is responsible for the agent. Default: none. */
  readonly owner?: string;
  readonly name?: string;
  readonly description?: string;
  readonly endpoint?: string;
  readonly protocol?: string;
  readonly capabilities?: readonly string[];
  readonly totalJobs?: number;
}

/** One proof of identity; `kyc_level` is a comma-separated list of claims. Members are spelled as on the chain. */
export interface ChainKycClaim {
  readonly kyc_provider: string;
  readonly kyc_level: string;
  /** Unix seconds. */
  readonly kyc_date: number;
}

/** A row of the table of accounts whose identity was checked (KYC). */
export interface ChainKyc {
  readonly account: string;
  /** Default 0. */
  readonly verified?: ChainFlag;
  /** Levels, or claims. */
  readonly kyc: readonly (number | ChainKycClaim)[];
}

/** The ways in which the stub fails, by name; the names travel over HTTP. */
export type FailureMode =
  /** The connection is lost. */
  | 'down'
  /** The answer comes after 8 s: later than callers wait. */
  | 'slow'
  /** HTTP 200 with an HTML page. */
  | 'html'
  /** HTTP 200 with an error object of code 404. */
  | 'not-found'
  /** The right members with values of other types. */
  | 'wrong-shape'
  /** HTTP 200 with `null`. */
  | 'null'
  /** Tables answer with the row of an active, verified stranger; all other answers are right. */
  | 'foreign-row'
  /** HTTP 500 with plain text. */
  | 'server-error';

/** One request that the stub was sent. */
export interface ChainCall {
  /** 1, 2, 3 … since the last reset. Old calls are forgotten, so count by it and not by the length of a list. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly path: string;
  /** The account that it was about, as sent; a very long one is cut. */
  readonly account?: string;
}

/** Controls the stub. Everything that could not be on a chain is rejected. */
export interface ChainControl {
  /** The chain id, 64 lower-case hexadecimal digits. */
  chainId(): Promise<string>;
  /** Adds an account, or replaces it. */
  setAccount(account: ChainAccount): Promise<void>;
  removeAccount(name: string): Promise<void>;
  setAgent(row: ChainAgent): Promise<void>;
  removeAgent(account: string): Promise<void>;
  setKyc(row: ChainKyc): Promise<void>;
  removeKyc(account: string): Promise<void>;
  /** Makes requests about this account fail, or all (`*`); undefined ends that. The account has priority over `*`. */
  setFailure(account: string, mode: FailureMode | undefined): Promise<void>;
  /** The newest requests that the stub was sent, oldest first. */
  calls(): Promise<readonly ChainCall[]>;
  /** Restores the initial state: no failures, no calls, only the initial accounts. */
  reset(): Promise<void>;
}
