/** The part of oidc-provider, which has no types of its own, that the tests use. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Saved {
    save(): Promise<string>;
  }
  interface DeviceCode extends Saved {
    accountId: string;
    grantId: string;
    scope: string;
    error?: string;
  }
  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    callback(): RequestListener;
    on(event: string, listener: (answered: { readonly body: { readonly access_token: string } }) => void): this;
    readonly DeviceCode: { findByUserCode(code: string): Promise<DeviceCode | undefined> };
    readonly Grant: new (about: {
      accountId: string;
      clientId: string;
    }) => Saved & { addOIDCScope(scope: string): void };
  }
}
