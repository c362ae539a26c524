// Changes of a body after it was signed: they mean little or nothing to a parser.

const encoder = new TextEncoder();
const text = (body: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
const rewritten =
  (write: (value: unknown) => string) =>
  (body: Uint8Array): Uint8Array => {
    try {
      return encoder.encode(write(JSON.parse(text(body))));
    } catch {
      return encoder.encode(`${text(body)} `);
    }
  };
const around =
  (before: string, after: string) =>
  (body: Uint8Array): Uint8Array =>
    encoder.encode(before + text(body) + after);

const reversed = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).reverse())
    : value;

/** One more `method`, which parsers that keep the last member of a name do not see. */
const doubled = (body: Uint8Array): Uint8Array => encoder.encode(text(body).replace('{', '{"method":"tck",'));
const escaped = (body: Uint8Array): Uint8Array => encoder.encode(text(body).replace('"id":"f', '"id":"\\u0066'));
const otherDigit = (body: Uint8Array): Uint8Array =>
  encoder.encode(text(body).replace(/"id":"(.)/, (_, first: string) => `"id":"${first === 'g' ? 'h' : 'g'}`));

export const bodyChanges: Readonly<Record<string, (body: Uint8Array) => Uint8Array>> = {
  'space-before': around(' ', ''),
  'space-after': around('', ' '),
  'line-feed': around('', '\n'),
  'line-end': around('', '\r\n'),
  tab: around('\t', ''),
  'byte-order-mark': around('\ufeff', ''),
  pretty: rewritten((value) => JSON.stringify(value, null, 2)),
  reordered: rewritten((value) => JSON.stringify(reversed(value))),
  'more-members': rewritten((value) => JSON.stringify({ ...Object(value), tck: 1 })),
  doubled,
  escaped,
  'other-digit': otherDigit,
  nul: around('', '\u0000'),
  'two-documents': (body) => encoder.encode(text(body) + text(body)),
  empty: () => new Uint8Array(),
  'last-byte-gone': (body) => body.subarray(0, -1),
};

/** An unknown name changes nothing. */
export const changedBody = (how: string, body: Uint8Array = new Uint8Array()): Uint8Array =>
  Object.hasOwn(bodyChanges, how) ? (bodyChanges[how]?.(body) ?? body) : body;
