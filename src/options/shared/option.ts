/** Where an option may stand: on the command line, in a configuration file, in the targets file of `fleet`. */
export type Place = 'command line' | 'config' | 'fleet';

/**
 * What an option does beside choosing and timing checks; the kit says so to the user of a configuration that it found
 * by itself.
 */
export const deeds = [
  'runs commands',
  'writes files',
  'sends credentials',
  'signs or pays with keys',
  'trusts others',
] as const;
export type Deed = (typeof deeds)[number];

/** How the value of an option is written; the command line reads it by this. */
export type Kind =
  /** Given or not. */
  | { readonly is: 'flag' }
  | { readonly is: 'text'; readonly pattern?: string; readonly mayBeEmpty?: boolean }
  /** The option may be given several times. */
  | { readonly is: 'texts' }
  /** The same, with commas between. */
  | { readonly is: 'list' }
  | { readonly is: 'integer'; readonly least: number; readonly most: number }
  | { readonly is: 'percent' }
  | { readonly is: 'choice'; readonly of: readonly string[] }
  | { readonly is: 'budget' }
  /** Requests in a time, as `20/m`. */
  | { readonly is: 'rate' }
  /** Atomic units of money. */
  | { readonly is: 'amount' }
  /** An object, which only a file can say. */
  | { readonly is: 'object' };

interface More {
  /** What is taken without it, in words; of a run and of a campaign of the fuzzer, where they differ. */
  readonly usual?: string | { readonly run: string; readonly fuzz: string };
  /** Help in a file, where the value is written in another way there. */
  readonly inFile?: string;
  /** What `--no-<name>` does; left out: the flag does not exist. */
  readonly without?: string;
  /** Left out: all places. */
  readonly places?: readonly Place[];
  readonly deed?: Deed;
  /** The value is a secret itself, or it names the environment variable or the file that holds one. */
  readonly secret?: 'value' | 'variable' | 'file';
  /** What it is called in the options of programs. */
  readonly api?: string;
  /** Input of the GitHub action. One that is called otherwise than the option holds the secret itself. */
  readonly action?: { readonly input: string; readonly about: string; readonly usual?: string };
}

/** One option: all that is known of it, in one place. */
export interface Option<Value = unknown> extends More {
  readonly kind: Kind;
  /** Its value in help: `<file>`; left out for flags and objects. */
  readonly value?: string;
  readonly help: string;
  /** Only for the compiler. */
  readonly type?: Value;
}

/** Options of one group, by their names. */
export type Options = Readonly<Record<string, Option>>;

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** The record that the options of a table fill. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table & string as Camel<Name>]?: Table[Name] extends Option<infer Value> ? Value : never;
};

export const onlyArgument: readonly Place[] = ['command line'];
/** Not for many agents at once. */
export const ofOneRun: readonly Place[] = ['command line', 'config'];

export const flag = (help: string, more: More = {}): Option<boolean> => ({
  kind: { is: 'flag' },
  help,
  ...more,
});

export const text = (
  value: string,
  help: string,
  { pattern, mayBeEmpty = false, ...more }: More & { readonly pattern?: string; readonly mayBeEmpty?: boolean } = {},
): Option<string> => ({
  kind: { is: 'text', mayBeEmpty, ...(pattern === undefined ? {} : { pattern }) },
  value,
  help,
  ...more,
});

export const texts = (value: string, help: string, more: More = {}): Option<readonly string[]> => ({
  kind: { is: 'texts' },
  value,
  help,
  ...more,
});

export const list = (value: string, help: string, more: More = {}): Option<readonly string[]> => ({
  kind: { is: 'list' },
  value,
  help,
  ...more,
});

export const integer = (
  value: string,
  [least, most]: readonly [least: number, most: number],
  help: string,
  more: More = {},
): Option<number> => ({
  kind: { is: 'integer', least, most },
  value,
  help,
  ...more,
});

export const percent = (help: string, more: More = {}): Option<number> => ({
  kind: { is: 'percent' },
  value: '<percent>',
  help,
  ...more,
});

export const choice = <const Word extends string>(
  value: string,
  of: readonly Word[],
  help: string,
  more: More = {},
): Option<Word> => ({ kind: { is: 'choice', of }, value, help, ...more });

export const budget = (
  help: string,
  more: More = {},
): Option<{ readonly requests?: number; readonly tasks?: number }> => ({
  kind: { is: 'budget' },
  value: '<caps>',
  help,
  ...more,
});

export const rate = (help: string, more: More = {}): Option<number | string> => ({
  kind: { is: 'rate' },
  value: '<n[/s|/m|/h]>',
  help,
  ...more,
});

export const amount = (help: string, more: More = {}): Option<string | number> => ({
  kind: { is: 'amount' },
  value: '<units>',
  help,
  ...more,
});

/** Only a file can say it; `steering.ts` has its schema. `Value` is what a program reads. */
export const object = <Value>(help: string, more: More = {}): Option<Value> => ({
  kind: { is: 'object' },
  help,
  places: ['config', 'fleet'],
  ...more,
});

/** A flag that may have values. */
export const perhapsTexts = (value: string, help: string, more: More = {}): Option<true | readonly string[]> => ({
  kind: { is: 'text' },
  value,
  help,
  ...more,
});
