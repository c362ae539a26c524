import { InvalidArgumentError } from 'commander';

/** Readers of option values. They throw an error of commander, which names the option and quotes the value. */

export const integer =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return value;
  };

export function percent(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > 100) throw new InvalidArgumentError('It must be a number from 0 to 100.');
  return value;
}

/** `a,b`, and the option may be repeated. */
export function list(text: string, before: readonly string[] = []): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) throw new InvalidArgumentError('It must be a list such as a,b.');
  return [...before, ...items];
}

export const repeated = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** `requests=500,tasks=20`, either or both. */
export function budget(text: string): { readonly requests?: number; readonly tasks?: number } {
  const parts = text.split(',').map((part) => /^(requests|tasks)=(\d{1,9})$/.exec(part.trim()));
  const names = parts.map((part) => part?.[1]);
  if (names.includes(undefined) || new Set(names).size < names.length) {
    throw new InvalidArgumentError('It must look like requests=500,tasks=20.');
  }
  return Object.fromEntries(parts.map((part) => [part?.[1], Number(part?.[2])]));
}
