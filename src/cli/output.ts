import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ReportFormat, reportFormats } from '../../reporters/formats.js';
import type { Reporter } from '../../reporters/index.js';
import { suggestion } from '../model/nearest.js';
import { TckError } from '../model/tck-error.js';
import { causeOf } from './cause.js';
import { makeFolder } from './folder.js';

/** One format and where it goes; without a file, to stdout. */
export interface Output {
  readonly format: ReportFormat;
  readonly file: string | undefined;
}

function readOutput(text: string): Output {
  const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const format = reportFormats.find((one) => one === name);
  if (format === undefined) {
    const known = `formats: ${reportFormats.join(', ')}`;
    throw new TckError('usage', `--report ${name} is no format`, suggestion(name, reportFormats, known));
  }
  if (file === '') throw new TckError('usage', `--report ${text} names no file`, `give one as ${name}=<file>`);
  return { format, file };
}

/** The outputs of a run. The console takes stdout unless another format does. Throws `TckError('usage')`. */
export function readOutputs(reports: readonly string[], json: boolean): readonly Output[] {
  const asked = reports.map(readOutput);
  const outputs: readonly Output[] = json ? [...asked, { format: 'json', file: undefined }] : asked;
  const onStdout = new Set(outputs.filter((output) => output.file === undefined).map((output) => output.format));
  if (onStdout.size > 1) {
    throw new TckError(
      'usage',
      `${[...onStdout].join(' and ')} both go to stdout`,
      'give one of them a file: --report json=report.json',
    );
  }
  const files = outputs.flatMap((output) => (output.file === undefined ? [] : [resolve(output.file)]));
  if (new Set(files).size < files.length) throw new TckError('usage', 'two reports go to the same file');
  const first = [...onStdout][0] ?? 'console';
  return [{ format: first, file: undefined }, ...outputs.filter((output) => output.file !== undefined)];
}

/** A file that is being written. It appears under its name when it is complete, or not at all. */
export interface PartialFile {
  write(text: string): void;
  done(): void;
  discard(): void;
}

const cannot = (file: string, why: string): TckError =>
  new TckError('config', `the report ${file} cannot be written: ${why}`);

/** Opens a file for writing. It and the methods of its result throw `TckError('config')`. */
export function openFile(file: string): PartialFile {
  const path = resolve(file);
  const partial = `${path}.${process.pid}.tmp`;
  let handle: number;
  try {
    makeFolder(dirname(path));
    if (existsSync(path)) {
      if (statSync(path).isDirectory()) throw cannot(file, 'it is a folder');
      accessSync(path, constants.W_OK);
    }
    handle = openSync(partial, 'w');
  } catch (error) {
    throw error instanceof TckError ? error : cannot(file, causeOf(error));
  }
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(handle);
    isOpen = false;
  };
  const discard = (): void => {
    close();
    rmSync(partial, { force: true });
  };
  const wholeOrNot = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      discard();
      throw cannot(file, causeOf(error));
    }
  };
  return {
    write: (text) => wholeOrNot(() => writeFileSync(handle, text)),
    done: () =>
      wholeOrNot(() => {
        close();
        renameSync(partial, path);
      }),
    discard,
  };
}

/** Writes a file that appears complete or not at all. Throws `TckError('config')`. */
export function writeWhole(file: string, text: string): void {
  const opened = openFile(file);
  opened.write(text);
  opened.done();
}

export const findReporter = (reporters: readonly Reporter[], format: ReportFormat): Reporter => {
  const found = reporters.find((reporter) => reporter.id === format);
  if (found === undefined) throw new TckError('internal', `no reporter for ${format}`);
  return found;
};
