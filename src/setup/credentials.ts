import type { Card } from '../model/index.js';
import { type OAuthFlow, oauthFlows } from '../run/index.js';

/** How the secret of one security scheme is taken from the environment. */
export interface Credential {
  /** The environment variable that holds the secret. */
  readonly variable: string;
  /** A line of the configuration file; left out if the secret would have to be in it. */
  readonly setting?: string;
  /** An argument of the command line, for a shell. */
  readonly argument?: string;
  readonly about: string;
}

/** Whether a name of the agent has no special meaning in YAML, in a shell and in a workflow. */
const isPlain = (name: string): boolean => /^[A-Za-z][A-Za-z0-9_.-]{0,60}$/.test(name);

const bearer = (about: string): Credential => ({
  variable: 'AGENT_TOKEN',
  setting: 'bearer-env: AGENT_TOKEN',
  about,
});

/** A credential in a header, whose name is plain. It is an argument: the file would show the secret. */
const inHeader = (name: string, before: string, about: string): Credential => ({
  variable: 'AGENT_KEY',
  argument: `--header "${name}: ${before}$AGENT_KEY"`,
  about,
});

/** A client whose tokens the kit gets and renews itself. */
const client = ({ tokenUrl }: OAuthFlow): readonly Credential[] => [
  {
    variable: 'AGENT_CLIENT_ID',
    setting: 'oauth-client-id-env: AGENT_CLIENT_ID',
    about: `the id of a client that gets tokens at ${tokenUrl}`,
  },
  {
    variable: 'AGENT_CLIENT_SECRET',
    setting: 'oauth-client-secret-env: AGENT_CLIENT_SECRET',
    about: 'the secret of that client',
  },
];

function credentialFor(scheme: Card['securitySchemes'][string]): Credential | undefined {
  if (scheme.type === 'http') {
    return /^basic$/i.test(scheme.scheme)
      ? inHeader('Authorization', 'Basic ', 'HTTP Basic: user:password in base64')
      : bearer('an HTTP bearer token');
  }
  if (scheme.type === 'oauth2' || scheme.type === 'openIdConnect') return bearer(`an access token (${scheme.type})`);
  if (scheme.type !== 'apiKey' || !isPlain(scheme.name)) return undefined;
  if (scheme.in === 'header') return inHeader(scheme.name, '', 'an API key in a header');
  if (scheme.in === 'cookie') return inHeader('Cookie', `${scheme.name}=`, 'an API key in a cookie');
  return { variable: 'AGENT_KEY', setting: `query-env: ${scheme.name}=AGENT_KEY`, about: 'an API key in the URL' };
}

export interface CredentialNeeds {
  /** For the first alternative that the card names and the kit can serve. */
  readonly credentials: readonly Credential[];
  /** The card asks only for credentials that the kit cannot name. */
  readonly isOpen: boolean;
}

/**
 * Which credentials a card asks for, in the cheapest way that the kit knows. `document`: the card as it was served, which
 * says where tokens come from.
 */
export function credentialNeeds({ security, securitySchemes }: Card, document?: unknown): CredentialNeeds {
  const flows = oauthFlows(document).filter(({ grant }) => grant === 'client-credentials');
  if (security.length === 0) return { credentials: [], isOpen: false };
  const schemes = new Map(Object.entries(securitySchemes));
  for (const alternative of security) {
    const names = Object.keys(alternative);
    const found = names.map((name): readonly Credential[] => {
      const flow = flows.find((flow) => flow.scheme === name);
      if (flow !== undefined) return client(flow);
      const scheme = schemes.get(name);
      const single = scheme && credentialFor(scheme);
      return single === undefined ? [] : [single];
    });
    const known = found.flat();
    const isOneEach = new Set(known.map(({ variable }) => variable)).size === known.length;
    if (found.every((item) => item.length > 0) && isOneEach) return { credentials: known, isOpen: false };
  }
  return { credentials: [], isOpen: true };
}
