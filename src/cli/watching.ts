import { existsSync, watch } from 'node:fs';
import { connect } from 'node:net';
import { join, sep } from 'node:path';
import { isNewFailure } from '../../reporters/index.js';
import { isLoopback } from '../model/index.js';
import { TckError } from '../model/tck-error.js';
import { difference, type Report } from '../report/index.js';
import { parseTargetUrl, plural, printable } from '../wire/index.js';
import { differenceText } from './difference-text.js';
import type { Settings } from './settings.js';
import { type Terminal, wantsColour } from './terminal.js';

/** Why the watch ended: something happened, or the user ended it. */
export type Awaited = { readonly kind: 'again'; readonly why: string } | { readonly kind: 'ended' };

/**
 * Between two looks at the port of the agent, ms. An agent on this machine may be back in a third of a second, and would
 * not be seen to have been gone.
 */
const lookEveryMs = { here: 100, elsewhere: 400 } as const;
/** Editors write a file in several steps, and builds write many files, ms. */
const settleMs = 500;

/** Whether a file, by its path in the folder, has one of the names. Without a slash they mean files in any folder. */
async function matcherOf(globs: readonly string[]): Promise<(file: string) => boolean> {
  const { default: picomatch } = await import('picomatch');
  const patterns = globs.map((glob) => (glob.includes('/') ? glob.replace(/^\.\//, '') : `**/${glob}`));
  return picomatch(patterns, { dot: true });
}

/** Files that no build of an agent is made of. */
const isAside = (file: string): boolean => /(^|\/)(\.git|\.a2a-tck|node_modules)(\/|$)/.test(file);

/** Files that are watched from the first run on: what changes during a run counts too. */
interface Watch {
  /** The last change since it was asked for the last time, and when it came, ms since 1970. */
  changed(): { readonly file: string; readonly at: number } | undefined;
  forget(): void;
  close(): void;
}

async function watchFiles(folder: string, globs: readonly string[]): Promise<Watch> {
  let change: { readonly file: string; readonly at: number } | undefined;
  const forget = (): void => {
    change = undefined;
  };
  if (globs.length === 0) return { changed: () => undefined, forget, close: () => undefined };
  const isMeant = await matcherOf(globs);
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    const file = (name ?? '').split(sep).join('/');
    if (!isAside(file) && isMeant(file)) change = { file, at: Date.now() };
  });
  // A file that vanishes while the kit looks at it does not end the watch.
  watcher.on('error', () => undefined);
  return { changed: () => change, forget, close: () => watcher.close() };
}

/** How far the repair is: what fails now, and what is not shown. */
export function leftText({ checks, findings }: Report): string {
  const failed = checks.filter(isNewFailure);
  const levels = (['must', 'should'] as const).flatMap((level) => {
    const count = failed.filter((checkResult) => checkResult.level === level).length;
    return count === 0 ? [] : [`${count} ${level.toUpperCase()}`];
  });
  const open = checks.filter(({ verdict }) => verdict === 'inconclusive').length;
  const found = findings.filter(({ baseline }) => baseline !== 'known').length;
  return [
    failed.length === 0 ? 'no failure left' : `${plural(failed.length, 'failure')} left: ${levels.join(', ')}`,
    ...(found === 0 ? [] : [plural(found, 'finding')]),
    ...(open === 0 ? [] : [`${plural(open, 'check')} inconclusive`]),
  ].join('; ');
}

/** Whether a server listens at the host and the port of a URL. */
function isListening(url: URL): Promise<boolean> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port, timeout: 2000 });
    const end = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket
      .on('connect', () => end(true))
      .on('error', () => end(false))
      .on('timeout', () => end(false));
  });
}

/** The places that globs name and that are not there: a user who mistypes one would wait forever. */
export const missingPlaces = (folder: string, globs: readonly string[]): readonly string[] =>
  globs.filter((glob) => !/[*?{]/.test(glob) && !existsSync(join(folder, glob)));

/** Waits until files change or the agent comes back after it was gone, and then until it listens. */
async function waitForChange(
  url: URL,
  files: Watch,
  wasGone: boolean,
  terminal: Pick<Terminal, 'onInterrupt'>,
  onWaiting: () => void,
): Promise<Awaited> {
  const pauseMs = isLoopback(url.hostname) ? lookEveryMs.here : lookEveryMs.elsewhere;
  let isGone = wasGone;
  let timer: NodeJS.Timeout | undefined;
  let release = (): void => undefined;
  try {
    return await new Promise<Awaited>((resolve) => {
      release = terminal.onInterrupt(() => resolve({ kind: 'ended' }));
      // Who reads that it waits may send Ctrl-C at once.
      onWaiting();
      const look = async (): Promise<void> => {
        const isThere = await isListening(url);
        const change = files.changed();
        if (!isThere) isGone = true;
        else if (change !== undefined && Date.now() - change.at >= settleMs) {
          return resolve({ kind: 'again', why: `${change.file} has changed` });
        } else if (isGone && change === undefined) return resolve({ kind: 'again', why: 'the agent is back' });
        timer = setTimeout(() => void look(), pauseMs);
      };
      void look();
    });
  } finally {
    clearTimeout(timer);
    release();
  }
}

/**
 * Runs again and again. The first run is shown whole, later ones by what has changed. Ends with Ctrl-C, and returns the
 * exit code of the last run. Throws `TckError('usage')` for a file that is not there.
 */
export async function watched(
  url: string,
  globs: readonly string[],
  settings: Settings,
  work: (settings: Settings, onReport: (report: Report) => void) => Promise<number>,
  terminal: Terminal,
): Promise<number> {
  const [missing] = missingPlaces(process.cwd(), globs);
  if (missing !== undefined) {
    throw new TckError(
      'usage',
      `--watch ${missing}: the file does not exist`,
      "a name with * needs quotes: --watch 'src/**'",
    );
  }
  const place = parseTargetUrl(url);
  const orFiles = globs.length === 0 ? '' : `, or until ${globs.join(', ')} changes`;
  const files = await watchFiles(process.cwd(), globs);
  try {
    return await runAgain();
  } finally {
    files.close();
  }

  async function runAgain(): Promise<number> {
    let before: Report | undefined;
    let code = 0;
    let wasGone = false;
    for (;;) {
      let isGone = false;
      let now: Report | undefined;
      files.forget();
      // Files are written each time; the console shows a later run by its difference.
      const outputs =
        before === undefined ? settings.outputs : settings.outputs.filter(({ file }) => file !== undefined);
      try {
        code = await work({ ...settings, outputs }, (report) => {
          now = report;
        });
      } catch (error) {
        // An agent that is built again is gone for a while.
        if (!(error instanceof TckError) || (error.code !== 'unreachable' && error.code !== 'not-an-agent'))
          throw error;
        terminal.err(`a2a-tck: ${printable(error.message)}\n`);
        code = 3;
        isGone = error.code === 'unreachable';
      }
      if (before !== undefined && now !== undefined) {
        terminal.out(`${differenceText(difference(before, now), wantsColour(terminal))}${leftText(now)}\n`);
      }
      before = now ?? before;
      if (now?.run.cut === 'interrupted') return code;
      isGone ||= now?.causes?.some(({ id }) => id === 'died') === true;
      // Once: where a server listens that the kit cannot judge, only a change is a reason to try again.
      wasGone = isGone && !wasGone;
      const next = await waitForChange(place, files, wasGone, terminal, () =>
        terminal.err(`a2a-tck: waiting until the agent comes back${orFiles}; Ctrl-C ends\n`),
      );
      if (next.kind === 'ended') return code;
      terminal.err(`a2a-tck: ${printable(next.why, 300)}\n`);
    }
  }
}
