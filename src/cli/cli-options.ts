import type { Values } from '../options/index.js';

/** The options of a run after a first one. */
type Again = 'lastFailed' | 'lastUnproven' | 'watch';

/** The user's options, from a configuration file or from arguments: a part of the table in `src/options`. */
export interface CliOptions extends Omit<Values, Again | 'config'> {}

/** The options as the user wrote them on the command line. */
export interface CliArguments extends CliOptions, Pick<Values, Again> {
  /** false: not even one that is found. */
  readonly config?: string | false;
}
