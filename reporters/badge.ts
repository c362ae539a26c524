import { badgeState } from './badge/state.js';
import { badgeSvg } from './badge/svg.js';
import { jsonText } from './json-text.js';
import { fromReport, type Reporter } from './reporter.js';

/**
 * A picture for a `.svg` file, else the JSON that the endpoint badge of shields.io reads. That JSON has no links: the
 * page that shows the badge has them.
 */
export const badge: Reporter = {
  id: 'badge',
  readers: 'an SVG (`badge=badge.svg`) or the JSON of shields endpoints (`badge=badge.json`)',
  begin: fromReport((report, { file, badgeLink }) => {
    const state = badgeState(report);
    if (file !== undefined && /\.svg$/i.test(file)) return badgeSvg(state, badgeLink);
    const { label, message, color } = state;
    return `${jsonText({ schemaVersion: 1, label, message, color, ...(color === 'red' ? { isError: true } : {}) })}\n`;
  }),
};
