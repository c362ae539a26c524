// A campaign of all parts of the built fuzzer.
const load = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
const { bring, fuzzParts, fuzzPhase } = await load('src/fuzz/index.js');
const { fuzzPartsOf } = await load('packs/index.js');

/**
 * `onSuspect`: called before the fuzzer confirms a symptom; `onConfirmed`: called when it came again.
 * @returns {import('../../dist/src/run/index.js').FuzzPhase}
 */
export const campaign =
  ({ shrinkCap, ...settings }, { onSuspect = () => undefined, onConfirmed = () => undefined } = {}) =>
  async (stage) => {
    for (const part of await fuzzPartsOf(stage)) bring(part);
    const settling = { kit: 'a2a-tck bench', ...(shrinkCap === undefined ? {} : { shrinkCap }) };
    const parts = fuzzParts(stage, settling);
    const settle = async (suspect, bench, on) => {
      onSuspect(suspect);
      const confirmed = await parts.settle(suspect, bench, on);
      if (confirmed !== undefined) onConfirmed(confirmed, suspect);
      return confirmed;
    };
    return fuzzPhase(settings, { ...parts, settle })(stage);
  };
