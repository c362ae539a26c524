const fromHex = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16));

/** The text, and what a reader can make of it who takes off one layer of escapes after the other. */
export function readings(text: string): readonly string[] {
  const found = [text];
  for (let layer = 0; layer < 4; layer++) {
    const last = found.at(-1) ?? '';
    const plain = last
      .replace(/%([\da-f]{2})/gi, fromHex)
      .replace(/\\+u00([\da-f]{2})/gi, fromHex)
      .replace(/\\+(?=["\\n/])/g, '');
    if (plain === last) break;
    found.push(plain);
  }
  return found;
}
