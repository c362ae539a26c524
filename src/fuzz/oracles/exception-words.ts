// The words of unhandled exceptions, by language. Messages written for callers do not use them.

const words: readonly RegExp[] = [
  // JavaScript
  /\b(?:Type|Reference|Range|Syntax|URI)Error\b|Cannot (?:read|set|destructure|convert) (?:propert|undefined|null)|Cannot create property '|Cannot convert object to primitive|argument must be of type \w+ or an instance of|undefined is not|is not (?:a function|iterable|a constructor)|Maximum call stack|\bis not defined\b|in JSON at position|Unexpected (?:token|end of JSON)/,
  // Python
  /\bNoneType\b|\b(?:Key|Attribute|Index|Value|Recursion|UnicodeDecode|UnicodeEncode|Assertion)Error\b|object has no attribute|is not subscriptable|unhashable type|unexpected keyword argument|maximum recursion depth|codec can't (?:de|en)code/,
  // Java, Kotlin, .NET
  /\b(?:NullPointer|ClassCast|IllegalState|IndexOutOfBounds|ArrayIndexOutOfBounds|StackOverflow|NullReference|InvalidCast|KeyNotFound)(?:Exception|Error)\b|Object reference not set|lateinit property/,
  // Go, Rust, PHP, Ruby
  /invalid memory address|nil pointer|index out of range|interface conversion|\bpanicked\b|\bpanic:|called `(?:Option|Result)::unwrap|Undefined (?:index|array key|offset|variable)|\bNoMethodError\b|undefined method/,
  /\bunhandled (?:exception|rejection|error|promise)\b|\bsegmentation fault\b|\bout of memory\b/i,
];

/** The words of an exception in a text; undefined: there are none. */
export function exceptionIn(text: string): string | undefined {
  for (const pattern of words) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}
