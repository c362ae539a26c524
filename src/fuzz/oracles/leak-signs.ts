import { type LeakPattern, leakPatterns } from '../../kit/index.js';

/** Signs of a server's internals in errors, in the words of its languages, drivers and systems. */
export const leakSigns: readonly LeakPattern[] = [
  [
    'its environment',
    /\b(?:PATH=\/|NODE_ENV=|HOME=\/|AWS_SECRET_ACCESS_KEY|DATABASE_URL=|OPENAI_API_KEY|ANTHROPIC_API_KEY)/,
  ],
  [
    'a stack trace',
    /\bat [\w$.<>]{1,200}\([\w$]{1,80}\.(?:kt|scala|groovy|cs|vb):(?:line )?\d+\)|\) in [^\n]{1,200}:line \d+/,
  ],
  [
    'a stack trace',
    /(?:^|\n)#\d+ [^\n]{1,200}\(\d+\): |\bPHP (?:Fatal error|Warning|Notice):|(?<![\w/.-])[\w/.-]{1,200}\.rb:\d+:in [`']/,
  ],
  [
    'a stack trace',
    /File "[^"\n]{1,200}", line \d+|thread '[^'\n]{1,80}' panicked|stack backtrace:|\bgoroutine \d+ \[/,
  ],
  [
    'an error of its database',
    /\bSQLSTATE\[?\w|\bORA-\d{5}\b|\bSQLITE_[A-Z]{3,}|\bpsycopg2?\.|\bsqlite3\.\w+Error|\bpymysql\.|\bPrismaClient\w+|\bSequelize\w*Error\b|\bMongo(?:Server)?Error\b/,
  ],
  [
    'an error of its database',
    /You have an error in your SQL syntax|syntax error at or near|duplicate key value violates|no such (?:table|column): |unrecognized token: /,
  ],
  [
    'an error of its network',
    /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENOENT|EACCES|EMFILE)\b/,
  ],
  // Paths come last: the other signs contain paths.
  ...leakPatterns,
];

/** Signs that are unmistakable also in a result. */
export const resultSigns: readonly LeakPattern[] = [
  [
    'its environment',
    /\bPATH=\/[^"]{0,400}\b(?:HOME|PWD|SHELL|DATABASE_URL|\w+_KEY|\w+_TOKEN)=|\b(?:AWS_SECRET_ACCESS_KEY|OPENAI_API_KEY|ANTHROPIC_API_KEY|DATABASE_URL)=\S/,
  ],
  ['a private key', /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/],
];
/** Every sign of a result contains one of these; they are searched for in the bytes, before the text is read. */
export const resultHints: readonly string[] = ['PATH=/', '_KEY=', 'DATABASE_URL=', 'PRIVATE KEY'];
