import type { Rule } from '../../src/kit/index.js';
import * as contents from './contents.js';
import * as filters from './filters.js';
import * as page from './page.js';
import * as refusals from './refusals.js';

export const listRules: readonly Rule[] = [page, filters, contents, refusals].flatMap((file): readonly Rule[] =>
  Object.values(file),
);
