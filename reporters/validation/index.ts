import type { Validation } from '../../src/report/index.js';
import { jsonText } from '../json-text.js';
import { type ConsoleManner, validationConsole } from './console.js';
import type { ValidationFormat } from './formats.js';
import { validationJunit } from './junit.js';
import { validationSarif } from './sarif.js';

/** The whole text of one format. `strict`: a fault of a SHOULD counts too. */
export function validationText(
  format: ValidationFormat,
  validation: Validation,
  { strict, ...manner }: ConsoleManner & { readonly strict: boolean },
): string {
  switch (format) {
    case 'console':
      return validationConsole(validation, manner, strict);
    case 'json':
      return `${jsonText(validation, 2)}\n`;
    case 'sarif':
      return validationSarif(validation);
    case 'junit':
      return validationJunit(validation, strict);
  }
}
