import { resolve } from 'node:path';
import { type ReportFormat, reportFormats } from '../../reporters/formats.js';
import type { Reporter } from '../../reporters/index.js';
import { suggestion } from '../model/nearest.js';
import { TckError } from '../model/tck-error.js';

/** One format and where it goes; without a file, to stdout. */
export interface Output {
  readonly format: ReportFormat;
  readonly file: string | undefined;
}

function readOutput(text: string): Output {
  const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const format = reportFormats.find((reportFormat) => reportFormat === name);
  if (format === undefined) {
    const known = `formats: ${reportFormats.join(', ')}`;
    throw new TckError('usage', `--report ${name} is not a format`, suggestion(name, reportFormats, known));
  }
  if (file === '') throw new TckError('usage', `--report ${text} names no file`, `give one as ${name}=<file>`);
  return { format, file };
}

/**
 * The outputs of a run. The console takes stdout unless another format does. `isTaped`: there are exchanges for a tape.
 * Throws `TckError('usage')`.
 */
export function readOutputs(reports: readonly string[], json: boolean, isTaped = false): readonly Output[] {
  const asked = reports.map(readOutput);
  if (!isTaped && asked.some(({ format }) => format === 'tape'))
    throw new TckError('usage', 'only a run of checks makes a tape', 'a2a-tck --url <url> --report tape=<file>');
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

export const findReporter = (reporters: readonly Reporter[], format: ReportFormat): Reporter => {
  const found = reporters.find((reporter) => reporter.id === format);
  if (found === undefined) throw new TckError('internal', `no reporter for ${format}`);
  return found;
};
