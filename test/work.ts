// How much work is done: counted, not timed, so that a busy machine changes nothing.

/** What is counted of one call: about as many steps as it takes. */
type Weight = (self: unknown, args: readonly unknown[], result: unknown) => number;

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array ? value.length : 0;
const ofSelf: Weight = (self) => lengthOf(self);
const ofFirst: Weight = (_, [first]) => lengthOf(first);
const ofResult: Weight = (_, __, result) => lengthOf(result);
const ofBoth: Weight = (self, args) => lengthOf(self) + args.reduce((sum: number, item) => sum + lengthOf(item), 0);
/** What is looked through until it is found. */
const untilFound: Weight = (self, [wanted, from], result) => {
  const start = typeof from === 'number' ? from : 0;
  const isIndex = typeof result === 'number' && result >= 0;
  const end = isIndex ? result + lengthOf(wanted) : lengthOf(self);
  return Math.max(1, end - start);
};

const counted: readonly (readonly [of: object, names: readonly string[], weight: Weight])[] = [
  [String.prototype, ['indexOf', 'includes', 'lastIndexOf'], untilFound],
  [String.prototype, ['split', 'replace', 'replaceAll', 'match', 'search', 'trim', 'toLowerCase'], ofSelf],
  [String.prototype, ['startsWith', 'endsWith'], ofFirst],
  [String.prototype, ['concat', 'repeat', 'padStart'], ofResult],
  [Array.prototype, ['indexOf', 'includes', 'lastIndexOf'], untilFound],
  [
    Array.prototype,
    ['join', 'flat', 'slice', 'toSorted', 'toReversed', 'reverse', 'shift', 'unshift', 'splice'],
    ofSelf,
  ],
  [Array.prototype, ['concat'], ofBoth],
  [JSON, ['stringify'], ofResult],
  [JSON, ['parse'], ofFirst],
  [Object, ['keys', 'entries', 'values', 'fromEntries'], ofResult],
  [Buffer, ['from'], ofFirst],
  [Buffer, ['concat'], ofResult],
  [Buffer.prototype, ['toString'], ofResult],
];

/** They call back for each step. */
const calling = [
  'find',
  'findIndex',
  'findLast',
  'some',
  'every',
  'filter',
  'map',
  'flatMap',
  'forEach',
  'reduce',
  'reduceRight',
  'sort',
] as const;

type Method = (this: unknown, ...args: readonly unknown[]) => unknown;

/**
 * The steps of a piece of work in the methods of lists, texts and JSON, and in loops over lists. What a regular expression
 * does within itself is not seen.
 */
export async function workOf(act: () => unknown): Promise<number> {
  let steps = 0;
  /** The meter itself calls what it counts. */
  let isCounting = false;
  const undo: (() => void)[] = [];
  const put = (of: object, name: string, make: (inner: Method) => Method): void => {
    const before = Object.getOwnPropertyDescriptor(of, name);
    if (before === undefined || typeof before.value !== 'function') throw new Error(`no method ${name}`);
    undo.push(() => Object.defineProperty(of, name, before));
    Object.defineProperty(of, name, { ...before, value: make(before.value as Method) });
  };
  const add = (weigh: () => number): void => {
    if (isCounting) return;
    isCounting = true;
    steps += 1 + weigh();
    isCounting = false;
  };
  const reflectApply = Reflect.apply;
  for (const [of, names, weight] of counted) {
    for (const name of names) {
      put(
        of,
        name,
        (inner) =>
          function (this: unknown, ...args) {
            const result = reflectApply(inner, this, args);
            add(() => weight(this, args, result));
            return result;
          },
      );
    }
  }
  for (const name of calling) {
    put(
      Array.prototype,
      name,
      (inner) =>
        function (this: unknown, ...args) {
          const [callback, ...more] = args;
          if (typeof callback !== 'function') return reflectApply(inner, this, args);
          const step = function (this: unknown, ...given: unknown[]): unknown {
            steps += 1;
            return reflectApply(callback as Method, this, given);
          };
          return reflectApply(inner, this, [step, ...more]);
        },
    );
  }
  const iterators = Object.getPrototypeOf([][Symbol.iterator]()) as object;
  put(
    iterators,
    'next',
    (inner) =>
      function (this: unknown) {
        steps += 1;
        return reflectApply(inner, this, []);
      },
  );
  try {
    await act();
  } finally {
    for (const item of undo.reverse()) item();
  }
  return steps;
}

/** How many times the work grows when what comes in is ten times as large. */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  // Once for what is made at the first use.
  await work(1);
  const small = await workOf(() => work(size));
  const large = await workOf(() => work(10 * size));
  return large / small;
}
