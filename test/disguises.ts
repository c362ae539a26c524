const pairs = (text: string): readonly string[] => Buffer.from(text).toString('hex').match(/../g) ?? [];

/** What only stands for a text: an agent that says a credential so has said it all the same. */
export const disguises: readonly ((text: string) => string)[] = [
  (text) => [...text].map((sign) => `&#${sign.codePointAt(0)};`).join(''),
  (text) => JSON.stringify(Buffer.from(text)),
  (text) =>
    (
      Buffer.from(text)
        .toString('base64')
        .match(/.{1,10}/g) ?? []
    ).join('\r\n'),
  (text) => pairs(text).join(' '),
  (text) => {
    const lines =
      pairs(text)
        .join(' ')
        .match(/.{1,48}/g) ?? [];
    return lines.map((line, at) => `${(16 * at).toString(16).padStart(8, '0')}  ${line.trim()}`).join('\n');
  },
];
