import { resolve } from 'node:path';
import { type ValidationFormat, validationFormats } from '../../reporters/validation/formats.js';
import { suggestion } from '../model/nearest.js';
import { TckError } from '../model/tck-error.js';

/** One format of a judged document and where it goes; without a file, to stdout. */
export interface DocumentOutput {
  readonly format: ValidationFormat;
  readonly file: string | undefined;
}

function readOutput(text: string): DocumentOutput {
  const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const format = validationFormats.find((validationFormat) => validationFormat === name);
  if (format === undefined) {
    const known = `formats of a document: ${validationFormats.join(', ')}`;
    throw new TckError(
      'usage',
      `--report ${name} is not a format of a document`,
      suggestion(name, validationFormats, known),
    );
  }
  if (file === '') throw new TckError('usage', `--report ${text} names no file`, `give one as ${name}=<file>`);
  return { format, file };
}

/** The outputs of `validate`. The console takes stdout unless another format does. Throws `TckError('usage')`. */
export function readDocumentOutputs(reports: readonly string[], json: boolean): readonly DocumentOutput[] {
  const asked: readonly DocumentOutput[] = [
    ...reports.map(readOutput),
    ...(json ? [{ format: 'json' as const, file: undefined }] : []),
  ];
  const onStdout = [...new Set(asked.filter(({ file }) => file === undefined).map(({ format }) => format))];
  if (onStdout.length > 1) {
    const hint = 'give one of them a file: --report json=report.json';
    throw new TckError('usage', `${onStdout.join(' and ')} both go to stdout`, hint);
  }
  const files = asked.flatMap(({ file }) => (file === undefined ? [] : [resolve(file)]));
  if (new Set(files).size < files.length) throw new TckError('usage', 'two reports go to the same file');
  return [{ format: onStdout[0] ?? 'console', file: undefined }, ...asked.filter(({ file }) => file !== undefined)];
}
