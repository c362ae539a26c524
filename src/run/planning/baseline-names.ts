import { dialects } from '../../dialect/index.js';
import type { AnyRule } from '../../kit/index.js';
import { everInSets } from '../../ledger/index.js';
import type { BaselineNames } from '../../report/index.js';

/** Checks of clients are all in suites of this name. */
const ofClients = /^client-/;

const profiles: readonly string[] = dialects.flatMap(({ id }) => [id, `client-${id.replace(/^a2a-/, '')}`]);

/** What entries of a baseline may name where these rules judge; those about the other side are not looked at. */
export const baselineNames = (rules: readonly AnyRule[], judged: 'agents' | 'clients'): BaselineNames => ({
  checks: [...rules.map(({ id }) => id), ...everInSets()],
  profiles,
  isAbout: (check) => ofClients.test(check) === (judged === 'clients'),
});
