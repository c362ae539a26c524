import { type Dialect, dialectOfVersion, lineOf, profileOver } from '../../dialect/index.js';
import type { PeerPlace, Target } from '../../kit/index.js';
import { type Card, defined, firstOfEach } from '../../model/index.js';
import type { InterfaceReport } from '../../report/index.js';
import { bindingNamed, type DeclaredInterface } from './declared.js';
import { endpointAt, placeNamed, whyNotAt } from './endpoints.js';

/** "1.0", "0.3"; undefined for a dialect that is not a version of A2A. */
export const versionOf = ({ version }: Dialect): string | undefined => /^a2a-(.*)$/.exec(version)?.[1];

/** An interface that the card declares and the kit can call, beside the judged one. */
export interface OtherInterface {
  /** Its place in the list of interfaces. */
  readonly at: number;
  readonly dialect: Dialect;
  readonly endpoint: string;
  readonly tenant: string | undefined;
  /** The card as a client of this version reads it. */
  readonly card: Card;
}

/** An interface that the kit could call, and does not, since the user has not allowed its origin. */
export interface BarredInterface extends Pick<OtherInterface, 'dialect' | 'endpoint' | 'tenant'> {
  readonly barred: string;
}

/** Every interface that the card declares, and the judged one even if the card does not declare it. */
export interface Interfaces {
  readonly interfaces: readonly InterfaceReport[];
  /** Those of them that are not judged and could be. */
  readonly others: readonly OtherInterface[];
  /** Those of them whose origin the user has not allowed. */
  readonly barred?: readonly BarredInterface[];
}

/** The interface that a run judges in full. */
export interface JudgedInterface {
  readonly dialect: Dialect;
  readonly target: Target;
  readonly tenant: string | undefined;
  /** The URL in the card that led to the endpoint. */
  readonly named: string | undefined;
  /** No endpoint was found. */
  readonly isUnspoken?: boolean;
  /** Why it is not the one whose URL the user gave. */
  readonly notGiven?: string | undefined;
}

export interface InterfaceBasis {
  /** The dialects that the user lets the kit choose from. */
  readonly candidates: readonly Dialect[];
  /** The URL that the user gave: an interface is called there, or at an origin that the user allowed. */
  readonly given: URL;
  cardSeenBy(dialect: Dialect): Card;
}

/** An interface without a version fits every dialect. */
function isOfVersion({ version }: DeclaredInterface, dialect: Dialect): boolean {
  const own = versionOf(dialect);
  return version === undefined || (own !== undefined && lineOf(version) === lineOf(own));
}

function whyNot(
  { binding, version }: DeclaredInterface,
  dialect: Dialect,
  isOurs: boolean,
  isUnspoken = false,
): string {
  const named = bindingNamed(binding);
  if (named === undefined) return 'the kit does not speak this binding';
  const known = version === undefined ? undefined : dialectOfVersion(version);
  if (version !== undefined && known === undefined) return 'the kit does not know this version';
  if (isUnspoken) return `no ${named.title} was found`;
  if (!isOurs) return `--profile ${known?.version} judges this version`;
  if (named.id !== dialect.binding.id) return `--binding ${named.id} judges this one, --binding all judges each`;
  return '--binding all judges each interface';
}

/** Where the kit calls an interface, or why it does not. */
function endpointOf(
  url: string,
  { binding }: Dialect,
  { origins, sendsCredentials = false }: Target,
  given: URL,
): { readonly endpoint: string; readonly barred?: string } | { readonly why: string } {
  const at = placeNamed(url, binding);
  if (at === undefined) return { why: 'its address is not a URL' };
  const reach = { given, origins, sendsCredentials };
  const endpoint = endpointAt(at, binding, reach);
  if (endpoint !== undefined) return { endpoint };
  const where = binding.hasOwnPort === true ? whyNotAt(at, reach) : 'at another origin';
  return { endpoint: at.href, barred: `it is ${where} (see --allow-origin ${at.origin})` };
}

/** The profile of an interface; an interface without a version is of that of the judged one. */
function profileOf({ binding, version }: DeclaredInterface, judged: Dialect): Dialect | undefined {
  const named = bindingNamed(binding);
  const plain = version === undefined ? judged : dialectOfVersion(version);
  return named && plain && profileOver(plain, named);
}

/**
 * The other interfaces of the same version and tenant; two entries of the card may mean the same interface. Where the kit
 * may call none of them: those that are barred, so that the report can give the reason.
 */
export function peersOf(judged: Omit<JudgedInterface, 'named'> & Omit<Interfaces, 'interfaces'>): readonly PeerPlace[] {
  const { dialect, target, tenant, others, barred = [] } = judged;
  const placeOf = ({ dialect: { binding }, endpoint }: Pick<OtherInterface, 'dialect' | 'endpoint'>): string =>
    JSON.stringify([binding.transport, endpoint]);
  const own = placeOf({ dialect, endpoint: target.endpoint });
  const alike = <One extends OtherInterface | BarredInterface>(list: readonly One[]): readonly One[] =>
    firstOfEach(
      list.filter(
        (candidate) =>
          candidate.dialect.version === dialect.version && candidate.tenant === tenant && placeOf(candidate) !== own,
      ),
      placeOf,
    );
  const called: readonly (OtherInterface | BarredInterface)[] = alike(others);
  return (called.length > 0 ? called : alike(barred)).map((peer) => {
    const { transport } = peer.dialect.binding;
    return { endpoint: peer.endpoint, transport, tenant, ...('barred' in peer ? { barred: peer.barred } : {}) };
  });
}

/** Says of each declared interface whether it is judged, and why not. */
export function interfacesOf(
  declared: readonly DeclaredInterface[],
  { dialect, target, tenant, named, isUnspoken, notGiven }: JudgedInterface,
  { candidates, given, cardSeenBy }: InterfaceBasis,
): Interfaces {
  // If the URL of a card can be read in two ways, the called URL may not be the declared one.
  const meant = target.card.interfaces.find((entry) => entry.url === named || entry.or === named);
  const isNamed = ({ url }: DeclaredInterface): boolean => url === named || url === (meant?.or ?? meant?.url);
  const fits = (entry: DeclaredInterface): boolean =>
    !isUnspoken &&
    named !== undefined &&
    bindingNamed(entry.binding)?.id === dialect.binding.id &&
    isNamed(entry) &&
    isOfVersion(entry, dialect);
  const judged = declared.find((entry) => fits(entry) && entry.tenant === tenant) ?? declared.find(fits);
  const inFull = { judged: 'in-full', ...defined({ why: notGiven }) } as const;
  const shown = {
    url: target.endpoint,
    binding: dialect.binding.transport,
    ...defined({ version: versionOf(dialect) }),
  };
  const own = judged !== undefined || isUnspoken ? [] : [{ ...shown, declared: false, ...inFull }];
  const others: OtherInterface[] = [];
  const barred: BarredInterface[] = [];
  /** Why an interface is not judged in full; keeps what the kit could call. */
  const put = (entry: DeclaredInterface, index: number): string => {
    const why = whyNot(entry, dialect, isOfVersion(entry, dialect), isUnspoken);
    const profile = isUnspoken ? undefined : profileOf(entry, dialect);
    // Other dialects have requirements of their own, such as signed requests.
    if (profile === undefined || versionOf(profile) === undefined || !candidates.includes(profile)) return why;
    const place = endpointOf(entry.url, profile, target, given);
    if ('why' in place) return place.why;
    const other = { dialect: profile, endpoint: place.endpoint, tenant: entry.tenant };
    if (place.barred === undefined) others.push({ at: own.length + index, ...other, card: cardSeenBy(profile) });
    else barred.push({ ...other, barred: place.barred });
    return place.barred ?? why;
  };
  const listed = declared.map((stated, index): InterfaceReport => {
    const { by: _, version, ...rest } = stated;
    const entry = { ...rest, ...defined({ version }), declared: true };
    return { ...entry, ...(stated === judged ? inFull : { judged: 'not', why: put(stated, index) }) };
  });
  return { interfaces: [...own, ...listed], others, barred };
}
