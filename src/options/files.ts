import { flag, type Options, onlyArgument, perhapsTexts, text } from './option.js';

/** Long waits, and the file that holds options. */
export const files = {
  slow: flag('checks may wait out time windows of several minutes', { api: 'xpr.slow' }),
  config: text('<file>', 'YAML or JSON with these options, and prompts that steer the agent', {
    usual: 'a2a-tck.config.yaml, .yml or .json here or above',
    without: 'no configuration file, although there is one',
    places: onlyArgument,
    action: { input: 'config', about: 'Configuration file, below the working directory' },
  }),
} satisfies Options;

/** Runs after a first one. */
export const again = {
  'last-failed': flag('only what failed in the last run here (kept in .a2a-tck)', { places: onlyArgument }),
  'last-unproven': flag('only what was inconclusive in it; both options: what was either', { places: onlyArgument }),
  watch: perhapsTexts(
    '[globs...]',
    'stay, and run again when the agent comes back, or when files with these names change',
    { places: onlyArgument },
  ),
} satisfies Options;
