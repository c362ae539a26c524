import { type Ledger, ledgerOf, loadLedger, type Requirement } from '../../../src/ledger/index.js';
import { type Card, memo } from '../../../src/model/index.js';
import { extensionUris, isX402Extension } from '../payments/index.js';

type Claim = NonNullable<Requirement['claim']>;

/** A claim about the entries of the extension in the card. */
const declares =
  (fits: (extension: Card['capabilities']['extensions'][number]) => boolean, lack: string): Claim =>
  ({ capabilities }) => {
    const ours = capabilities.extensions.filter(({ uri }) => isX402Extension(uri));
    if (ours.length === 0) return 'the card does not declare the x402 extension';
    return ours.some(fits) ? undefined : lack;
  };

/** The needs of the rows that the card decides. */
const claims: Readonly<Record<string, Claim>> = {
  'x402:declared': declares(() => true, ''),
  'x402:required': declares(({ required }) => required, 'the card does not require the x402 extension'),
  'x402:optional': declares(({ required }) => !required, 'the card requires the x402 extension'),
  'x402:extension-0.2': declares(
    ({ uri }) => uri === extensionUris.v02,
    'the card does not declare v0.2 of the extension',
  ),
};

function claimed(row: Requirement): Requirement {
  const wanted = row.needs.flatMap((need) => claims[need] ?? []);
  if (wanted.length === 0) return row;
  return { ...row, claim: (card) => wanted.map((claim) => claim(card)).find((why) => why !== undefined) };
}

/** The rows of payments, with what each asks of the card. */
export const x402Ledger: () => Ledger = memo(
  () => 'x402',
  () => {
    const { rows, ...about } = loadLedger('x402');
    return ledgerOf(rows.map(claimed), about);
  },
);
