import type { Header } from '../wire/index.js';

/** A caller whom the agents know. */
export interface Account {
  readonly name: string;
  /** Bearer token, API key and password. */
  readonly secret: string;
}

export const alice: Account = { name: 'alice', secret: 'alice-token' };
/** A second caller, who has nothing to do with the first. */
export const bob: Account = { name: 'bob', secret: 'bob-token' };
export const accounts: readonly Account[] = [alice, bob];

export const bearerOf = ({ secret }: Account): Header => ['Authorization', `Bearer ${secret}`];
/** RFC 7617 §2. */
export const basicCredentials = ({ name, secret }: Account): string =>
  Buffer.from(`${name}:${secret}`).toString('base64');
export const basicOf = (account: Account): Header => ['Authorization', `Basic ${basicCredentials(account)}`];
