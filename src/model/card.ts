/** The parts of an agent card that the kit needs, whatever its version. Absent or unreadable members are left out. */

export type Transport = 'JSONRPC' | 'GRPC' | 'HTTP+JSON' | (string & {});

export interface Interface {
  readonly url: string;
  /** The URL by another reading, if the document leaves open what the URL of a card means. */
  readonly or?: string;
  readonly transport: Transport;
  /** Protocol version of this interface where the card states one (1.0). */
  readonly version?: string;
  readonly tenant?: string;
}

export interface Extension {
  readonly uri: string;
  readonly required: boolean;
  readonly params?: Record<string, unknown>;
}

export type SecurityScheme =
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: string }
  | { readonly type: 'oauth2' | 'openIdConnect' | 'mutualTLS' };

export interface Skill {
  readonly id: string;
  readonly inputModes: readonly string[];
  readonly outputModes: readonly string[];
}

export interface Card {
  readonly name?: string;
  readonly version?: string;
  readonly protocolVersion?: string;
  /** Preferred first. */
  readonly interfaces: readonly Interface[];
  readonly capabilities: {
    readonly streaming: boolean;
    readonly push: boolean;
    readonly extendedCard: boolean;
    readonly extensions: readonly Extension[];
  };
  readonly inputModes: readonly string[];
  readonly outputModes: readonly string[];
  readonly skills: readonly Skill[];
  /** Alternatives; each maps scheme names to scopes. Empty: no credentials required. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  readonly signatures: readonly unknown[];
}

/** The card of which nothing is known, used when an agent serves none. */
export const unknownCard: Card = {
  interfaces: [],
  capabilities: { streaming: false, push: false, extendedCard: false, extensions: [] },
  inputModes: [],
  outputModes: [],
  skills: [],
  security: [],
  securitySchemes: {},
  signatures: [],
};
