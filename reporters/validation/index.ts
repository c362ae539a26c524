import type { Validation } from '../../src/report/index.js';
import { jsonText } from '../json-text.js';
import { type ConsoleManner, validationConsole } from './console.js';
import type { ValidationFormat } from './formats.js';
import { validationJunit } from './junit.js';
import { validationSarif } from './sarif.js';

/**
 * The whole text of one format, of one document or several; JSON of several is a list. `strict`: a fault of a SHOULD
 * counts too.
 */
export function validationText(
  format: ValidationFormat,
  validations: readonly Validation[],
  { strict, ...manner }: ConsoleManner & { readonly strict: boolean },
): string {
  switch (format) {
    case 'console':
      return validations.map((validation) => validationConsole(validation, manner, strict)).join('\n');
    case 'json':
      return `${jsonText(validations.length === 1 ? validations[0] : validations, 2)}\n`;
    case 'sarif':
      return validationSarif(validations);
    case 'junit':
      return validationJunit(validations, strict);
  }
}
