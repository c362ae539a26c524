import { type JsonObject, member, stringMember } from '../../../src/model/index.js';
import {
  askUpstream,
  createExpiring,
  type Expiring,
  type Upstream,
  type World,
} from '../../../src/reference/patching.js';
import { publicKeyText, readPublicKey } from '../signing/index.js';
import { secondsOf } from './claims.js';
import { denied } from './denied.js';
import { kycLevel, trustScore } from './levels.js';
import type { XprWhole } from './patches.js';
import type { XprAgent, XprPermission, XprSeams } from './seams.js';

export type StandingSeams = Pick<
  XprSeams,
  'node' | 'ask' | 'chainId' | 'permissions' | 'authorises' | 'gate' | 'agent' | 'kyc' | 'trust'
>;

/** More accounts than a test agent meets; each answer of the chain is small. */
const mostCached = 10_000;

/**
 * Looks up accounts on the chain. After any failure there the caller is refused, and the refusal does not show where
 * the chain is.
 */
export function standing({ clock }: World, whole: XprWhole, chain: Upstream | undefined): StandingSeams {
  const unreadable = () => denied('the chain gave no answer that can be read');

  /** Concurrent questions about one account are asked once. Answers are kept, failures and `undefined` are not. */
  function cached<Value>(fetch: (account: string) => Promise<Value>): (account: string) => Promise<Value> {
    const kept: Expiring<Promise<Value>> = createExpiring(clock, mostCached);
    return (account) => {
      const known = kept.get(account);
      if (known !== undefined) return known;
      const asked = fetch(account);
      kept.set(account, asked, clock.now() + whole.xpr.settings().cacheSeconds * 1000);
      const forget = () => {
        if (kept.get(account) === asked) kept.delete(account);
      };
      asked.then((value) => (value === undefined ? forget() : undefined), forget);
      return asked;
    };
  }

  /** The row of this account; the row of another one, which some nodes answer with, does not count. */
  async function row(code: string, scope: string, table: string, name: string, account: string) {
    const answer = await whole.xpr.ask('/v1/chain/get_table_rows', {
      json: true,
      code,
      scope,
      table,
      lower_bound: account,
      upper_bound: account,
      index_position: 1,
      key_type: '',
      limit: 1,
      reverse: false,
      show_payer: false,
    });
    const rows = member(answer, 'rows');
    if (!Array.isArray(rows)) throw unreadable();
    return rows.find((row): row is JsonObject => member(row, name) === account);
  }

  const chainIdOf = cached(async () => {
    const id = stringMember(await whole.xpr.ask('/v1/chain/get_info', {}), 'chain_id');
    if (id === undefined || !/^[0-9a-f]{64}$/.test(id)) throw unreadable();
    return id;
  });

  return {
    node: () => chain?.url ?? '',
    async ask(path, question) {
      if (chain === undefined) throw denied('the agent has no chain to ask');
      const answer = await askUpstream(chain, clock, path, question).catch(() => undefined);
      const status = answer?.status ?? 0;
      // Some gateways in front of nodes report a missing thing with any HTTP status, and the code 404 in the body.
      if (status < 200 || status > 299 || member(answer?.json, 'code') === 404) {
        throw denied('the chain gave no answer');
      }
      return answer?.json;
    },
    chainId: () => chainIdOf(''),
    permissions: cached(async (account) => {
      const answer = await whole.xpr.ask('/v1/chain/get_account', { account_name: account });
      const permissions = member(answer, 'permissions');
      if (member(answer, 'account_name') !== account || !Array.isArray(permissions)) throw unreadable();
      return permissions.flatMap((permission) => permissionOf(permission) ?? []);
    }),
    authorises(key, permissions) {
      const names = whole.xpr.settings().permissions;
      return permissions
        .filter(({ name }) => names.includes(name))
        .some(({ threshold, keys }) =>
          keys.some((weighted) => weighted.weight >= threshold && modernText(weighted.key) === key),
        );
    },
    agent: cached(async (account) => {
      const found = await row('agentcore', 'agentcore', 'agents', 'account', account);
      return found && agentOf(found);
    }),
    kyc: cached(async (account) => kycLevel(await row('eosio.proton', 'eosio.proton', 'usersinfo', 'acc', account))),
    trust: (agent, kyc) => trustScore(agent.registeredAt, kyc, secondsOf(clock.now())),
    async gate(account) {
      const { requireRegistered, minKyc, minTrust } = whole.xpr.settings();
      if (!requireRegistered && minKyc <= 0 && minTrust <= 0) return;
      const agent = await whole.xpr.agent(account);
      if (agent === undefined) throw denied('the account is not a registered agent');
      if (!agent.isActive) throw denied('the agent is not active');
      if (minKyc <= 0 && minTrust <= 0) return;
      const kyc = await whole.xpr.kyc(account);
      // Negated, so that the agent refuses each caller where the minimum is not a number.
      if (!(kyc >= minKyc)) throw denied(`the KYC level is below ${minKyc}`);
      if (!(whole.xpr.trust(agent, kyc) >= minTrust)) throw denied(`the trust score is below ${minTrust}`);
    },
  };
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);

/** A permission that can be read; undefined for what is none: it authorises no key. */
function permissionOf(wire: unknown): XprPermission | undefined {
  const name = stringMember(wire, 'perm_name');
  const auth = member(wire, 'required_auth');
  const threshold = member(auth, 'threshold');
  const keys = member(auth, 'keys');
  if (name === undefined || !isCount(threshold) || threshold < 1 || !Array.isArray(keys)) return undefined;
  return {
    name,
    threshold,
    keys: keys.flatMap((entry) => {
      const key = stringMember(entry, 'key');
      const weight = member(entry, 'weight');
      return key === undefined || !isCount(weight) ? [] : [{ key, weight }];
    }),
  };
}

/** Chains give keys in the old and in the new text. */
function modernText(key: string): string | undefined {
  if (!key.startsWith('EOS')) return key;
  try {
    return publicKeyText(readPublicKey(key));
  } catch {
    return undefined;
  }
}

const agentOf = (row: JsonObject): XprAgent => {
  const { active, registered_at: registeredAt } = row as { active?: unknown; registered_at?: unknown };
  return {
    isActive: active === 1 || active === true,
    registeredAt: isCount(registeredAt) ? registeredAt : Number.POSITIVE_INFINITY,
  };
};
