import { page } from './html/page.js';
import { fromReport, type Reporter } from './reporter.js';

export const htmlReporter: Reporter = {
  id: 'html',
  readers: 'people with a browser: one file, no network, no script needed',
  begin: fromReport(page),
};
