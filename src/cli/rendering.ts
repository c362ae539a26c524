import { type BundledTargets, replayOptions } from '../../packs/settings.js';
import { eventsOf, type Shell } from '../../reporters/index.js';
import { openFile, type PartialFile } from '../files/index.js';
import { TckError } from '../model/tck-error.js';
import type { Report, RunEvent } from '../report/index.js';
import type { Output } from './output.js';
import { createReportMaker } from './report-maker.js';
import type { Rendered } from './report-messages.js';
import { type Terminal, wantsColour, wantsLiveLine } from './terminal.js';

/** All outputs of a run. */
export interface Publication {
  tell(event: RunEvent): void;
  /**
   * Moves the files to their places. Throws at the end, with one error that names all files that could not be written.
   */
  done(): Promise<void>;
  /** Drops the outputs: no file is left behind. */
  discard(): void;
}

interface Manner {
  readonly verbose: boolean;
  readonly strict: boolean;
  readonly badgeLink?: string;
  /** Where the files of findings are. */
  readonly findings?: string;
  readonly shell?: Shell;
  readonly target?: BundledTargets;
}

/** Opens every output before the run, so that a file that cannot be written is reported first. */
export function publish(
  outputs: readonly Output[],
  { verbose, strict, badgeLink, findings, shell, target }: Manner,
  terminal: Terminal,
): Publication {
  const more = {
    ...(badgeLink === undefined ? {} : { badgeLink }),
    ...(findings === undefined ? {} : { findings }),
    ...(shell === undefined ? {} : { shell }),
    ...(target === undefined ? {} : { replayOptions: replayOptions(target) }),
  };
  const plain: Rendered['context'] = { colour: false, live: false, verbose, strict, ...more };
  const onTerminal: Rendered['context'] = {
    ...plain,
    colour: wantsColour(terminal),
    live: wantsLiveLine(terminal),
    ...(terminal.isTTY ? { columns: terminal.columns ?? 80 } : {}),
  };
  const sinks: PartialFile[] = [];
  const discardAll = () => {
    for (const sink of sinks) sink.discard();
  };
  const rendered = outputs.map(({ format, file }): Rendered => {
    return { format, context: file === undefined ? onTerminal : { ...plain, file } };
  });
  try {
    for (const { format, file } of outputs) {
      sinks.push(file === undefined ? stdoutSink(terminal, format === 'console' && onTerminal.live) : openFile(file));
    }
  } catch (error) {
    discardAll();
    throw error;
  }
  /** Errors by output. They are thrown at the end, so that a failed output does not stop the others. */
  const failures = new Map<number, unknown>();
  function attempt(at: number, step: (sink: PartialFile) => void): void {
    const sink = sinks[at];
    if (sink === undefined || failures.has(at)) return;
    try {
      step(sink);
    } catch (error) {
      failures.set(at, error);
    }
  }
  const maker = createReportMaker(rendered, {
    text: (at, text) => attempt(at, (sink) => sink.write(text)),
    failed: (at, error) =>
      attempt(at, (sink) => {
        sink.discard();
        throw error;
      }),
  });
  return {
    tell: maker.tell,
    async done() {
      await maker.flush();
      maker.end();
      for (const at of sinks.keys()) attempt(at, (sink) => sink.done());
      const [first, ...others] = failures.values();
      if (others.length > 0) throw joined([first, ...others]);
      if (first !== undefined) throw first;
    },
    discard() {
      maker.end();
      discardAll();
    },
  };
}

/** One error with all messages: `internal` if one is a failure of the kit, else `config`. */
function joined(errors: readonly unknown[]): Error {
  const isOurs = errors.some((error) => !(error instanceof TckError) || error.code === 'internal');
  const messages = errors.map((error) => (error instanceof Error ? error.message : String(error)));
  return new TckError(isOurs ? 'internal' : 'config', messages.join('; '));
}

const stdoutSink = (terminal: Terminal, live: boolean): PartialFile => ({
  write: (text) => terminal.out(text),
  done: () => undefined,
  // Clears the live line, which would stand before the error.
  discard: () => terminal.out(live ? '\r\u001b[2K' : ''),
});

/** Shows a finished run. */
export async function publishReport(
  report: Report,
  outputs: readonly Output[],
  manner: Manner,
  terminal: Terminal,
): Promise<void> {
  // The run is over: a live line would only flicker.
  const publication = publish(outputs, manner, { ...terminal, env: { ...terminal.env, CI: '1' } });
  for (const event of eventsOf(report)) publication.tell(event);
  await publication.done();
}
