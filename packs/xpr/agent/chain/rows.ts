import type { JsonObject } from '../../../../src/model/index.js';
import {
  type ChainAccount,
  type ChainAgent,
  type ChainKyc,
  type ChainPermission,
  legacyPublicKeyText,
  publicKeyText,
  readPublicKey,
} from '../../signing/index.js';

// The state of the stub, as a node spells it. XPR: what a server asks the chain.

/** Both texts of a K1 key are one key; those of other curves have one text only. */
function keyText(key: string, legacy: boolean): string {
  if (!/^(EOS|PUB_K1_)/.test(key)) return key;
  const publicKey = readPublicKey(key);
  return legacy ? legacyPublicKeyText(publicKey) : publicKeyText(publicKey);
}

const parents: ReadonlyMap<string, string> = new Map([
  ['owner', ''],
  ['active', 'owner'],
]);

const permissionRow = (
  { name, parent, threshold, keys, accounts = [], waits = [] }: ChainPermission,
  legacy: boolean,
): JsonObject => ({
  perm_name: name,
  parent: parent ?? parents.get(name) ?? 'active',
  required_auth: {
    threshold,
    keys: keys.map(({ key, weight }) => ({ key: keyText(key, legacy), weight })),
    accounts: accounts.map(({ actor, permission, weight }) => ({ permission: { actor, permission }, weight })),
    waits: waits.map(({ seconds, weight }) => ({ wait_sec: seconds, weight })),
  },
  linked_actions: [],
});

export const accountRow = ({ name, permissions, legacyKeys = false }: ChainAccount): JsonObject => ({
  account_name: name,
  privileged: false,
  last_code_update: '1970-01-01T00:00:00.000',
  created: '2020-04-22T17:00:00.000',
  permissions: permissions.map((permission) => permissionRow(permission, legacyKeys)),
});

/** `now`: Unix seconds, for an agent that was registered just now. */
export const agentRow = (agent: ChainAgent, now: number): JsonObject => ({
  account: agent.account,
  owner: agent.owner ?? '',
  pending_owner: '',
  name: agent.name ?? agent.account,
  description: agent.description ?? '',
  endpoint: agent.endpoint ?? '',
  protocol: agent.protocol ?? 'https',
  capabilities: JSON.stringify(agent.capabilities ?? []),
  total_jobs: agent.totalJobs ?? 0,
  registered_at: agent.registeredAt ?? now,
  active: agent.active ?? 1,
  claim_deposit: 0,
  deposit_payer: '',
});

export const kycRow = ({ account, verified = 0, kyc }: ChainKyc): JsonObject => ({
  acc: account,
  name: '',
  avatar: '',
  verified,
  date: 0,
  verifiedon: 0,
  verifier: '',
  raccs: [],
  aacts: [],
  ac: [],
  kyc,
});
