import type { Dialect, TextFollowed } from '../../dialect/index.js';
import type { Reading, Target } from '../../kit/index.js';
import type { Planned } from '../planning/plan.js';

/** Input of laws beside the recorded exchanges. */
export interface LawBasis {
  readonly target: Target;
  /** Which text of the version the agent follows, where the version has several. */
  readonly text: TextFollowed | undefined;
}

/** Everything that laws judge, once the agent has answered everything. */
export interface Taped extends LawBasis {
  readonly dialect: Dialect;
  readonly readings: readonly Reading[];
  readonly laws: readonly Planned[];
}
