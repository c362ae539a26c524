import type { Dialect } from '../../../src/dialect/index.js';
import type { AgentPart, Upstream } from '../../../src/reference/patching.js';
import { authenticated, claims } from './claims.js';
import { counting } from './counting.js';
import { withXpr } from './patches.js';
import type { XprSeams } from './seams.js';
import { boundSettings, linesOf, usualSettings, type XprSettings } from './settings.js';
import { spelledXpr } from './spelling.js';
import { standing } from './standing.js';

export interface XprPartOptions {
  /** The node that knows the accounts. Absent: the agent can verify no caller. */
  readonly chain?: Upstream;
  /** Departures from what is usual in the profile. */
  readonly settings?: Partial<XprSettings>;
}

/** What makes the reference agent one whose callers sign. */
export const xprAgent =
  (dialect: Dialect, { chain, settings: more }: XprPartOptions = {}): AgentPart =>
  () => {
    const settings: XprSettings = { ...(linesOf(dialect) === 5 ? boundSettings : usualSettings), ...more };
    let current = (): XprSettings => settings;
    return {
      spelling: spelledXpr(() => current()),
      patch(inner, world, whole) {
        const own = withXpr(whole);
        current = () => own.xpr.settings();
        const xpr: XprSeams = {
          settings: () => settings,
          ...claims(world, own),
          ...standing(world, own, chain),
          ...counting(world, own),
        };
        return {
          parts: { ...inner.parts, xpr },
          authenticate: (request) => authenticated(request, own),
          // A task without an owner is visible to unsigned callers only, and to no account.
          visible: (taskId, caller) => world.store.owner(taskId) === caller,
        };
      },
    };
  };
