import type { Dialect } from '../dialect/index.js';
import type { Target } from '../kit/index.js';
import type { InterfaceReport } from '../report/index.js';
import { bindingNamed, type DeclaredInterface, lineOf } from './declared.js';
import { tenantOf } from './tenant.js';

/** "1.0", "0.3"; undefined for a dialect that is no version of A2A. */
const versionOf = ({ id, like = id }: Dialect): string | undefined => /^a2a-(.*)$/.exec(like)?.[1];

/** An interface without a version fits every dialect. */
function isOfVersion({ version }: DeclaredInterface, dialect: Dialect): boolean {
  const own = versionOf(dialect);
  return version === undefined || (own !== undefined && lineOf(version) === lineOf(own));
}

function whyNot(
  { binding, version }: DeclaredInterface,
  dialect: Dialect,
  isOurs: boolean,
  isUnspoken: boolean,
): string {
  const named = bindingNamed(binding);
  if (named === undefined) return 'the kit does not speak this binding';
  const line = version === undefined ? undefined : lineOf(version);
  if (version !== undefined && line !== '1' && line !== '0.3' && line !== '0.2')
    return 'the kit does not know this version';
  if (isUnspoken) return `no ${named.title} was found`;
  if (!isOurs) return `a run judges one version; --profile a2a-${line === '1' ? '1.0' : line} judges this one`;
  if (named.id !== dialect.binding.id) return `a run judges one binding; --binding ${named.id} judges this one`;
  return 'a run judges one interface of a version';
}

/**
 * Every interface that the card declares, and the judged one even if the card does not declare it. `named`: the URL in
 * the card that led to the endpoint.
 */
export function interfacesOf(
  declared: readonly DeclaredInterface[],
  dialect: Dialect,
  target: Target,
  named: string | undefined,
  isUnspoken: boolean,
): readonly InterfaceReport[] {
  const tenant = tenantOf(target, dialect);
  // If the URL of a card can be read in two ways, the called URL may not be the declared one.
  const meant = target.card.interfaces.find((one) => one.url === named || one.or === named);
  const isNamed = ({ url }: DeclaredInterface): boolean => url === named || url === (meant?.or ?? meant?.url);
  const fits = (one: DeclaredInterface): boolean =>
    !isUnspoken &&
    named !== undefined &&
    bindingNamed(one.binding)?.id === dialect.binding.id &&
    isNamed(one) &&
    isOfVersion(one, dialect);
  const judged = declared.find((one) => fits(one) && one.tenant === tenant) ?? declared.find(fits);
  const version = versionOf(dialect);
  const own: readonly InterfaceReport[] =
    judged !== undefined || isUnspoken
      ? []
      : [
          {
            url: target.endpoint,
            binding: dialect.binding.transport,
            ...(version === undefined ? {} : { version }),
            declared: false,
            judged: 'in-full',
          },
        ];
  return [
    ...own,
    ...declared.map((one): InterfaceReport => {
      const { by: _, version: stated, ...rest } = one;
      const shown = { ...rest, ...(stated === undefined ? {} : { version: stated }), declared: true };
      if (one === judged) return { ...shown, judged: 'in-full' };
      return { ...shown, judged: 'not', why: whyNot(one, dialect, isOfVersion(one, dialect), isUnspoken) };
    }),
  ];
}
