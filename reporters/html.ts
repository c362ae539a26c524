import { page } from './html/page.js';
import { fromReport, type Reporter } from './reporter.js';

export const htmlReporter: Reporter = {
  id: 'html',
  about: 'one page for people, which loads nothing: what failed, the sentence, the exchange, how to reproduce it',
  begin: fromReport(page),
};
