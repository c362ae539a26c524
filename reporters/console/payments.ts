import type { PaymentReport, Report } from '../../src/report/index.js';
import { plural, printable } from '../../src/wire/index.js';
import type { Paint } from './paint.js';

const heads = {
  outstanding: (count: number) =>
    `${plural(count, 'payment')} can still be cashed: signed with your key, and no receipt has come`,
  receipted: (count: number) =>
    `${plural(count, 'payment')} signed with your key: the agent gave a receipt, and the kit has not looked it up on the chain`,
  planned: (count: number) => `${plural(count, 'payment')} would have been signed`,
} as const;

const line = ({ amount, asset, network, payTo, nonce, expires, signature }: PaymentReport): string => {
  const what = `${amount} of ${asset} on ${network} to ${payTo}`;
  const which = [`nonce ${nonce}`, `until ${expires}`, ...(signature === undefined ? [] : [`signature ${signature}`])];
  return `    ${printable(what, 300)}\n      ${printable(which.join(', '), 300)}`;
};

/** The same list without colours, for a run that can no longer make a report. */
export const plainPaymentsText = (payments: readonly PaymentReport[]): string =>
  paymentsText({ payments }, (_, text) => text);

/** What the user must know about payments; empty if there is none. */
export function paymentsText({ payments = [] }: Pick<Report, 'payments'>, paint: Paint): string {
  const blocks = (['outstanding', 'receipted', 'planned'] as const).flatMap((state) => {
    const some = payments.filter((payment) => payment.state === state);
    if (some.length === 0) return [];
    return [`  ${paint(state === 'outstanding' ? 'yellow' : 'dim', heads[state](some.length))}`, ...some.map(line), ''];
  });
  return blocks.join('\n');
}
