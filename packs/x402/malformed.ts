import { type Scene, type Source, source } from '../../src/kit/index.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';
import { changed, flaws, type Trial, tryEach, type Way, withInner } from './trying.js';

// Malformed payments. Some checks judge whether they are accepted, one judges their effect on the agent. No rules:
// index.ts does not collect this file.

const trial = (about: string, ...ways: readonly Way[]): Source<Trial> =>
  source(about, (scene: Scene) => tryEach(scene, ways));

export const malformed = trial(
  'payments with members missing or of other types',
  ...flaws('m01', 'm02', 'm03', 'm04', 'm05', 'm06', 'm07', 'm08', 'm09', 'm10', 'm11', 'm19', 'm20', 'm21', 'm22'),
);
export const wrongVersions = trial('payments with another x402Version', ...flaws('m23', 'm24', 'm25', 'm26'));
export const valueForms = trial(
  'payments whose value is not plain decimal text',
  ...flaws('m12', 'm13', 'm14', 'm15', 'm16', 'm17', 'm18'),
);

/** A2A itself allows the agent to refuse these. */
const odd = { call: { invalid: true } } as const satisfies x402.Submitting;
const mebibyte = 1024 * 1024;
/** Many JSON parsers refuse deeper nesting, so the payment itself would not be looked at. */
const depth = 100;

/** `__proto__` as an own member, as JSON.parse makes it. */
const underPrototype = ({ payload, ...rest }: x402Text.PaymentPayload): unknown =>
  JSON.parse(JSON.stringify(rest).replace(/^\{/, `{"__proto__":${JSON.stringify({ payload })},`));

/** `value` or `to` twice, once as in the offer and once as signed: no reader may take it for a correct payment. */
const twice = (field: 'value' | 'to', signed: 'first' | 'last', id: x402Text.DefectId): Way => ({
  about: `${field} twice, the ${signed} one as it was signed and the other as the offer wants it`,
  versions: [1, 2],
  async make(scene, offered) {
    if (!x402.takesTexts(scene)) return undefined;
    const read = x402Text.readPayment(await x402.defective(scene, offered, id));
    if (read === undefined) return undefined;
    const { authorization } = read.payload;
    const wanted = field === 'to' ? offered.option.payTo : offered.option.amount;
    const both = signed === 'first' ? [authorization[field], wanted] : [wanted, authorization[field]];
    return withInner(read, { authorization: { ...authorization, [field]: `tck-twice ${both.join(' ')}` } });
  },
  how: {
    ...odd,
    respell: (body) => body.replace(/"(value|to)":"tck-twice (\w+) (\w+)"/, '"$1":"$2","$1":"$3"'),
  },
});

export const hostile = trial(
  'payments of unusual size or form',
  changed('the payment as a JSON text', (payment) => JSON.stringify(payment)),
  changed('payload as a text', (payment) => ({ ...payment, payload: 'paid' })),
  changed('payload below __proto__', underPrototype, odd),
  changed(
    `authorization nested ${depth} levels deep`,
    (payment) => withInner(payment, { authorization: JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) }),
    odd,
  ),
  changed(
    'a signature of 1 MiB',
    (payment) =>
      withInner(payment, {
        signature: payment.payload.signature.padEnd(mebibyte + payment.payload.signature.length, '0'),
      }),
    odd,
  ),
  twice('value', 'last', 'n01'),
  twice('to', 'first', 'n05'),
);
