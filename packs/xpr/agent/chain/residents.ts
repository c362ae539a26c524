import { type ChainControl, type PrivateKey, privateKeyFor, publicKeyText } from '../../signing/index.js';

/** A throwaway account: any client can derive its keys. */
export interface ChainResident {
  readonly name: string;
  readonly about: string;
  /** Whether it is a registered agent, and an active one. */
  readonly agent: 'active' | 'inactive' | 'none';
}

export const chainResidents: readonly ChainResident[] = [
  { name: 'alice', about: 'a registered, active agent', agent: 'active' },
  { name: 'bob', about: 'another one', agent: 'active' },
  { name: 'carol', about: 'an account that is not a registered agent', agent: 'none' },
  { name: 'dave', about: 'a registered agent that is not active', agent: 'inactive' },
  { name: 'tckagent', about: 'the reference agent', agent: 'active' },
];

/** The key of the permission `active` of a throwaway account. */
export const residentKey = (name: string): PrivateKey => privateKeyFor(`a2a-tck reference ${name}`);
/** The key of the permission `owner`, which must not sign requests. */
export const residentOwnerKey = (name: string): PrivateKey => privateKeyFor(`a2a-tck reference ${name} owner`);

async function register(control: ChainControl): Promise<void> {
  for (const { name, agent } of chainResidents) {
    const permission = (permissionName: string, key: PrivateKey) => ({
      name: permissionName,
      threshold: 1,
      keys: [{ key: publicKeyText(key.publicKey), weight: 1 }],
    });
    const permissions = [permission('active', residentKey(name)), permission('owner', residentOwnerKey(name))];
    await control.setAccount({ name, permissions });
    await control.setKyc({ account: name, verified: 0, kyc: [] });
    if (agent !== 'none') await control.setAgent({ account: name, active: agent === 'active' ? 1 : 0 });
  }
}

/** Registers the throwaway accounts; the `reset` of the result registers them again. */
export async function residents(control: ChainControl): Promise<ChainControl> {
  await register(control);
  return {
    ...control,
    async reset() {
      await control.reset();
      await register(control);
    },
  };
}
