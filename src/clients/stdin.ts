import type { JsonObject } from '../model/index.js';
import {
  type Ended,
  gathering,
  isObjectLine,
  type Launch,
  linesIn,
  mostErrors,
  mostOutput,
  type StartClient,
  tail,
} from './client-process.js';
import { endingOf, limitsOf } from './command.js';
import { type CommandProcess, type ProcessEnd, startCommand } from './command-process.js';
import { commandWords } from './words.js';

/** The last argument of a command that reads its errands from its standard input. */
const fromInput = '-';

/** Cuts bytes into lines, and drops those that are longer than `most`. `end`: the last line may have no LF. */
function lineReader(
  most: number,
  take: (line: Buffer) => void,
): { readonly add: (bytes: Uint8Array) => void; readonly end: () => void } {
  const begun = gathering();
  let size = 0;
  const add = (bytes: Uint8Array): void => {
    size += bytes.length;
    if (size <= most) begun.add(bytes);
    else begun.keep(0);
  };
  const end = (): void => {
    if (size <= most) take(begun.bytes());
    begun.keep(0);
    size = 0;
  };
  return {
    add(bytes) {
      let from = 0;
      for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, from)) {
        add(bytes.subarray(from, at));
        end();
        from = at + 1;
      }
      add(bytes.subarray(from));
    },
    end() {
      if (size > 0) end();
    },
  };
}

/** What an answer says of itself, besides what the client reports. */
interface Answer {
  readonly id: unknown;
  readonly status: number;
  readonly line: string;
}

const brace = '{'.charCodeAt(0);

function answerIn(bytes: Buffer): Answer | undefined {
  if (bytes[bytes.findIndex((byte) => byte !== 0x20 && byte !== 0x09)] !== brace) return undefined;
  const line = bytes.toString('utf8');
  try {
    // What begins with a brace is an object, or no JSON.
    const { id, status } = JSON.parse(line) as JsonObject;
    return { id, status: typeof status === 'number' && Number.isInteger(status) ? status : 0, line };
  } catch {
    return undefined;
  }
}

/**
 * The end of an errand that this line reports: its `status`, and what the client understood. undefined: it is not an
 * object.
 */
export function endedBy(line: string): Ended | undefined {
  const answer = answerIn(Buffer.from(line));
  return answer && { ending: { kind: 'exit', status: answer.status }, lines: linesIn(line), errors: '' };
}

/** A process that does one errand after the other. */
interface Worker {
  readonly running: CommandProcess;
  /** How it ended, when all that it wrote is read, too. */
  readonly gone: Promise<ProcessEnd>;
  /** How it ended, as soon as it has. */
  end: ProcessEnd | undefined;
  isFresh: boolean;
  out: ReturnType<typeof tail>;
  errors: ReturnType<typeof tail>;
  /** Gets what looks like an answer. */
  answered: ((answer: Answer) => void) | undefined;
}

const endText = ({ status, signal }: ProcessEnd): string =>
  status === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${status}`;

/** So long a program may take to end when no errand is left, ms. */
const farewellMs = 1000;

/**
 * A client that is a command which stays alive: it reads errands as lines of JSON from its standard input, and writes a
 * line with the same `id` for each. It does one at a time; where several scenarios are played at once, so many processes
 * are started. One that ends, or whose time is over, is replaced.
 */
export function clientOnStdin(command: string, { shell = false }: { readonly shell?: boolean } = {}): StartClient {
  if (!shell) commandWords(command);
  const idle: Worker[] = [];
  let count = 0;

  const open = (env: Launch['env']): Worker => {
    const lines = lineReader(mostOutput, (line) => {
      worker.out.add(line);
      worker.out.add(newline);
      const answer = worker.answered === undefined ? undefined : answerIn(line);
      if (answer !== undefined) worker.answered?.(answer);
    });
    const running = startCommand(command, {
      ...{ last: fromInput, env, shell, input: true },
      onOutput: lines.add,
      onErrors: (bytes) => worker.errors.add(bytes),
    });
    const worker: Worker = {
      running,
      gone: running.exited.then(async (end) => {
        await running.drained;
        lines.end();
        return end;
      }),
      end: undefined,
      isFresh: true,
      out: tail(mostOutput),
      errors: tail(mostErrors),
      answered: undefined,
    };
    running.exited.then(
      (end) => {
        worker.end = end;
      },
      () => undefined,
    );
    // An errand awaits it, unless it was answered before.
    worker.gone.catch(() => undefined);
    return worker;
  };

  const ask = async (launch: Launch, worker: Worker, isCalled: () => boolean): Promise<Ended> => {
    const { url, env } = launch;
    const { A2A_SCENARIO: scenario, A2A_CONTEXT: errand = '{}' } = env;
    const id = String(++count);
    const others = new Set<string>();
    worker.out = tail(mostOutput);
    worker.errors = tail(mostErrors);
    const answer = new Promise<Answer>((resolve) => {
      worker.answered = (answer) => {
        if (String(answer.id) === id) resolve(answer);
        else if (others.size < mostOthers) others.add(answer.id === undefined ? 'no id' : named(answer.id));
      };
    });
    const limits = limitsOf(launch, worker.running.stop);
    worker.running.write(JSON.stringify({ id, scenario, url, errand: JSON.parse(errand) }));
    // When the program has ended its time is no longer counted, and its answer may still stand in the pipe.
    void worker.running.exited.then(limits.end, limits.end);
    const came = await Promise.race([answer, worker.gone]).finally(limits.end);
    const strange = others.size === 0 ? [] : [`a line of JSON has ${[...others].join(', ')} where ${id} was asked`];
    if ('line' in came) {
      worker.answered = undefined;
      worker.isFresh = false;
      // What it has written to its errors before stands in another pipe.
      await new Promise((resolve) => setImmediate(resolve));
      // Where its time was over at this moment it is being ended.
      if (limits.lateMs() === undefined && worker.end === undefined) idle.push(worker);
      return {
        ending: { kind: 'exit', status: came.status },
        lines: [...otherLines(worker), came.line],
        errors: worker.errors.text(),
        ...noted(strange),
      };
    }
    const lateMs = limits.lateMs();
    const isOpen = await worker.running.drained;
    // It has ended after the errand before, as programs for one errand do.
    if (!worker.isFresh && lateMs === undefined && !launch.signal.aborted && !isCalled())
      return ask(launch, open(sharedEnvironment(env)), isCalled);
    const what =
      lateMs !== undefined
        ? `the program did not answer within ${lateMs / 1000} s, and was ended`
        : `the program ${endText(came)} without an answer`;
    return {
      ending: endingOf(lateMs, came),
      lines: otherLines(worker),
      errors: worker.errors.text(),
      ...(isOpen ? { leftRunning: true } : {}),
      ...noted([`${what}; what followed was played with another`, ...strange]),
    };
  };

  return Object.assign(
    (launch: Launch) => {
      let isCalled = false;
      void launch.called?.then(() => {
        isCalled = true;
      });
      let worker = idle.pop();
      while (worker?.end !== undefined) worker = idle.pop();
      return ask(launch, worker ?? open(sharedEnvironment(launch.env)), () => isCalled);
    },
    {
      async close() {
        await Promise.all(
          idle.splice(0).map(async ({ running }) => {
            running.endInput();
            const late = setTimeout(running.stop, farewellMs);
            await running.exited.finally(() => clearTimeout(late));
            await running.drained;
          }),
        );
      },
    },
  );
}

/** Without the id of the errand a line of JSON does not answer it. */
const otherLines = ({ out }: Worker): readonly string[] => linesIn(out.text()).filter((line) => !isObjectLine(line));

const newline = Buffer.from('\n');
const mostOthers = 3;
/** A long one is not quoted: where a secret is cut off, nothing shows that a piece of one stands there. */
const named = (id: unknown): string => {
  const text = JSON.stringify(id);
  return text.length > 20 ? 'another id' : `the id ${text}`;
};

const noted = (notes: readonly string[]): Pick<Ended, 'note'> => (notes.length === 0 ? {} : { note: notes.join('; ') });

/** What is the same for all errands. */
function sharedEnvironment({ A2A_SCENARIO, A2A_CONTEXT, ...rest }: Launch['env']): Launch['env'] {
  return rest;
}
