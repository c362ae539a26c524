import { type Binding, bindings } from '../../binding/index.js';
import { lineOf } from '../../dialect/index.js';
import { defined, firstOfEach, isObject, member, stringMember } from '../../model/index.js';
import { excerpt } from '../../wire/index.js';

/** One interface as a card declares it, whatever version the card is of. */
export interface DeclaredInterface {
  readonly url: string;
  /** As in the card: "JSONRPC", "HTTP+JSON", a URI. */
  readonly binding: string;
  /** Its own version, or that of the card: "1.0", "0.3.0"; undefined if neither is given. */
  readonly version: string | undefined;
  readonly tenant?: string;
  /** Where the card says so. */
  readonly by: 'supportedInterfaces' | 'its root';
}

/** A card may list any number of interfaces; the rest is ignored. */
const most = 50;

/** Also reads a number: it is a fault of the card, but still tells the version. */
export function versionIn(value: unknown, name = 'protocolVersion'): string | undefined {
  const found = member(value, name);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

const isOld = (version: string | undefined): boolean => version?.replace(/^v/, '').startsWith('0.') === true;

/**
 * The binding that a card names; undefined: the kit does not speak it. Other spellings ("json-rpc", "JSON-RPC 2.0",
 * "REST") are a fault of the card, but mean the same binding.
 */
export function bindingNamed(name: string): Binding | undefined {
  const letters = name
    .slice(0, 40)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
  return bindings.find((binding) => binding.letters.test(letters));
}

const textOf = (value: unknown, name: string): string | undefined => stringMember(value, name) || undefined;

/** 1.0 §4.4.6. An entry without a version has that of the card's root if it is an earlier one, else 1.0. */
function listed(document: unknown, root: string | undefined): readonly DeclaredInterface[] {
  const entries = member(document, 'supportedInterfaces');
  if (!Array.isArray(entries)) return [];
  return entries.slice(0, most).flatMap((entry: unknown): readonly DeclaredInterface[] => {
    const url = stringMember(entry, 'url');
    if (url === undefined) return [];
    return [
      {
        url,
        binding: textOf(entry, 'protocolBinding') ?? 'JSONRPC',
        version: versionIn(entry) ?? (isOld(root) ? root : '1.0'),
        ...defined({ tenant: textOf(entry, 'tenant') }),
        by: 'supportedInterfaces',
      },
    ];
  });
}

/** 0.3 §5.6: the main interface (`url`, `preferredTransport`), then the additional ones. */
function rooted(document: unknown, version: string | undefined): readonly DeclaredInterface[] {
  const by = 'its root';
  const url = textOf(document, 'url');
  const main = url === undefined ? [] : [{ url, binding: textOf(document, 'preferredTransport') ?? 'JSONRPC' }];
  const entries = member(document, 'additionalInterfaces');
  const others = (Array.isArray(entries) ? entries.slice(0, most) : []).flatMap((entry: unknown) => {
    const at = textOf(entry, 'url');
    const binding = textOf(entry, 'transport');
    return at === undefined || binding === undefined ? [] : [{ url: at, binding }];
  });
  return [...main, ...others].map((entry) => ({ ...entry, version, by }));
}

const keyOf = ({ url, binding, version, tenant }: DeclaredInterface): string =>
  JSON.stringify([url, binding, version === undefined ? '' : (lineOf(version) ?? version), tenant]);

/**
 * Every interface that a card declares, each once. If the card has a list of interfaces, the members at its root are
 * ignored, unless the root names an earlier version.
 */
export function declaredIn(document: unknown): readonly DeclaredInterface[] {
  if (!isObject(document)) return [];
  const root = versionIn(document);
  const list = listed(document, root);
  const all = [...list, ...(list.length === 0 || isOld(root) ? rooted(document, root) : [])];
  return firstOfEach(all, keyOf);
}

/** "HTTP+JSON and GRPC", for people. */
export function bindingsOf(declared: readonly DeclaredInterface[]): string {
  const names = [
    ...new Set(
      declared.map(({ binding, version }) =>
        excerpt(bindingNamed(binding) !== undefined && version !== undefined ? `${binding} ${version}` : binding, 80),
      ),
    ),
  ];
  const shown = names.slice(0, 3);
  const rest = names.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(' and ');
}
