import type { Target } from '../../kit/index.js';
import type { Requirement } from '../../ledger/index.js';

type Claim = (target: Target) => string | undefined;

/** `lacks` reads after "the card", `wanted` after "none": "declares no security", "declares security". */
const said =
  (says: (card: Target['card']) => boolean, lacks: string, wanted: string): Claim =>
  ({ card, cardDocument }) => {
    if (says(card)) return undefined;
    return cardDocument === undefined ? `no card was found, so none ${wanted}` : `the card ${lacks}`;
  };

const flag =
  (name: string, member: 'streaming' | 'push' | 'extendedCard', wanted: boolean): Claim =>
  (target) => {
    if (wanted)
      return said((card) => card.capabilities[member], `does not declare ${name}`, `declares ${name}`)(target);
    // Without a card the kit does not know what it leaves out.
    if (target.cardDocument === undefined) return `no card was found, so none says whether there is ${name}`;
    return target.card.capabilities[member] ? `the card declares ${name}` : undefined;
  };

/**
 * Needs of the requirement rows that the card decides. Each returns the declaration that makes the row not applicable,
 * or undefined if the need is met. All other needs (tasks in some state, credentials) are left to the checks' sources.
 */
const claims: Readonly<Record<string, Claim>> = {
  'cap:streaming': flag('streaming', 'streaming', true),
  'no-cap:streaming': flag('streaming', 'streaming', false),
  'cap:push': flag('push notifications', 'push', true),
  'no-cap:push': flag('push notifications', 'push', false),
  'cap:extended-card': flag('an extended card', 'extendedCard', true),
  'no-cap:extended-card': flag('an extended card', 'extendedCard', false),
  skill: said((card) => card.skills.length > 0, 'lists no skill', 'lists a skill'),
  'auth:declared': said(
    (card) => card.security.length > 0 || Object.keys(card.securitySchemes).length > 0,
    'declares no security',
    'declares security',
  ),
  'ext:declared': said(
    (card) => card.capabilities.extensions.length > 0,
    'declares no extension',
    'declares an extension',
  ),
  'ext:required': said(
    (card) => card.capabilities.extensions.some((extension) => extension.required),
    'declares no required extension',
    'declares a required extension',
  ),
  'signed-card': said((card) => card.signatures.length > 0, 'has no signatures', 'has signatures'),
  'multi-transport': said(
    (card) => card.interfaces.length > 1,
    'declares one interface only',
    'declares several interfaces',
  ),
  tenant: said(
    (card) => card.interfaces.some((item) => item.tenant !== undefined),
    'names no tenant',
    'names a tenant',
  ),
  rest: said(
    (card) => card.interfaces.some((item) => item.transport === 'HTTP+JSON'),
    'declares no HTTP+JSON interface',
    'declares an HTTP+JSON interface',
  ),
  grpc: ({ card, cardDocument }) =>
    cardDocument === undefined || card.interfaces.some((item) => item.transport === 'GRPC')
      ? undefined
      : 'the card declares no gRPC interface',
  tls: ({ endpoint }) => (endpoint.startsWith('https:') ? undefined : 'the endpoint is not under https'),
};

/** What the card lacks of what a pack asks for. */
function lack({ claim }: Requirement, { card, cardDocument }: Target): string | undefined {
  const missing = claim?.(card);
  return missing === undefined || cardDocument !== undefined ? missing : `no card was found: ${missing}`;
}

/** Why none of the rows applies to this agent; undefined when at least one does. */
export function notApplicable(rows: readonly Requirement[], target: Target): string | undefined {
  let reason: string | undefined;
  for (const row of rows) {
    const missing =
      lack(row, target) ?? row.needs.map((need) => claims[need]?.(target)).find((text) => text !== undefined);
    if (missing === undefined) return undefined;
    reason ??= missing;
  }
  return reason;
}
