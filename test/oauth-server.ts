import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { onCard } from '../src/reference/edits.js';
import type { Patch } from '../src/reference/index.js';
import { declaring } from '../src/reference/variants/declaring.js';

// An OAuth 2 server that is not ours (oidc-provider), on loopback.

export const client = { id: 'kit & co', secret: 'The client:s+secret/of%20the kit' } as const;

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

export interface OAuthServer {
  readonly issuer: string;
  readonly tokenUrl: string;
  readonly deviceUrl: string;
  /** Access tokens so far, the first one first. */
  readonly issued: readonly string[];
  /** Does what a person does on the page of the device flow. */
  allow(userCode: string): Promise<void>;
  stop(): Promise<void>;
}

/** `proof`: where the server takes the secret. `seconds`: how long its tokens hold. */
export async function startOAuthServer({
  proof = 'client_secret_basic',
  seconds = 600,
}: {
  readonly proof?: 'client_secret_basic' | 'client_secret_post';
  readonly seconds?: number;
} = {}): Promise<OAuthServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const scopes = ['openid', 'offline_access', 'tasks.read', 'tasks.write'];
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        token_endpoint_auth_method: proof,
        grant_types: ['client_credentials', deviceGrant, 'refresh_token'],
        response_types: [],
        redirect_uris: [],
        scope: scopes.join(' '),
      },
    ],
    scopes,
    features: {
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      devInteractions: { enabled: false },
    },
    ttl: {
      ClientCredentials: seconds,
      AccessToken: seconds,
      DeviceCode: 600,
      Grant: 600,
      RefreshToken: 600,
      IdToken: 600,
    },
    cookies: { keys: ['of a test'] },
    rotateRefreshToken: true,
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  });
  const issued: string[] = [];
  provider.on('grant.success', ({ body }) => issued.push(body.access_token));
  server.on('request', provider.callback());
  return {
    issuer,
    tokenUrl: `${issuer}/token`,
    deviceUrl: `${issuer}/device/auth`,
    issued,
    async allow(userCode) {
      const code = await provider.DeviceCode.findByUserCode(userCode.replaceAll('-', ''));
      if (code === undefined) throw new Error(`unknown code ${userCode}`);
      const grant = new provider.Grant({ accountId: 'alice', clientId: client.id });
      grant.addOIDCScope(scopes.join(' '));
      code.accountId = 'alice';
      code.scope = scopes.join(' ');
      code.grantId = await grant.save();
      await code.save();
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Flow = 'clientCredentials' | 'deviceCode';
/** The flows of a card whose tokens come from a server. */
export const flowsOf = ({ tokenUrl, deviceUrl }: Pick<OAuthServer, 'tokenUrl' | 'deviceUrl'>, flow: Flow) => ({
  [flow]: {
    tokenUrl,
    ...(flow === 'deviceCode' ? { deviceAuthorizationUrl: deviceUrl } : {}),
    scopes: { 'tasks.read': 'Reading.', 'tasks.write': 'Writing.', offline_access: 'For long.' },
  },
});

/** Demands tokens with these scopes, and takes those that `known` says. */
export const demanding = (flows: object, scopes: readonly string[], known: (token: string) => boolean): Patch[] => [
  declaring({ security: [{ oauth: scopes }], securitySchemes: { oauth: { type: 'oauth2' } } }),
  onCard((card) => ({
    ...card,
    securitySchemes:
      'securityRequirements' in card
        ? { oauth: { oauth2SecurityScheme: { flows } } }
        : { oauth: { type: 'oauth2', flows } },
  })),
  () => ({ account: (_, token) => (known(token) ? 'alice' : undefined) }),
];
