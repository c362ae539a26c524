import { breather } from '../../wire/index.js';
import type { Trace } from '../execute/trace.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';

/** What all oracles found in one trace. */
export interface JudgedCase {
  readonly symptoms: readonly Symptom[];
  /** An oracle failed: the kit's own fault, never the agent's. */
  readonly fault?: string;
}

/** Asks all oracles. An oracle that throws finds nothing in this trace. One symptom per bucket. */
export async function judgeCase(
  trace: Trace,
  oracles: readonly Oracle[],
  oracleContext: OracleContext,
): Promise<JudgedCase> {
  const symptoms = new Map<string, Symptom>();
  let fault: string | undefined;
  const breathe = breather();
  for (const oracle of oracles) {
    try {
      const said = oracle(trace, oracleContext);
      // Most oracles answer at once; a turn of the event loop for each would cost more than they do.
      for (const symptom of said instanceof Promise ? await said : said) {
        if (!symptoms.has(symptom.bucket)) symptoms.set(symptom.bucket, symptom);
      }
    } catch (error) {
      fault ??= error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
    const pause = breathe();
    if (pause === undefined) continue;
    // The clock is held: judging must not use up time of the agent.
    const release = oracleContext.clock.hold?.();
    await pause;
    release?.();
  }
  return { symptoms: [...symptoms.values()], ...(fault === undefined ? {} : { fault }) };
}
