import {
  type Fault,
  type FuzzFault,
  faults,
  fuzzFaults,
  type Preset,
  patchesOf,
  presets,
  variants,
} from '../../fixtures/faults/index.js';
import type { Surroundings, Till } from '../../packs/index.js';
import { charging } from '../../packs/options.js';
import { type Dialect, dialects, isFor } from '../dialect/index.js';
import { TckError } from '../model/tck-error.js';
import type { OpenPack } from '../pack/index.js';
import {
  type Archive,
  allBindings,
  createAgent,
  impostors,
  kitWebhooks,
  memoryArchive,
  type Resident,
  type Served,
  type ServeOptions,
  type StoreLimits,
  serveAgent,
  type Variant,
} from '../reference/index.js';
import { createHttpCarrier } from '../wire/http.js';
import { realClock } from '../wire/index.js';
import { causeOf } from './cause.js';
import { named } from './named.js';

/** A fault for the checks, for the fuzzer, or for those of a pack. */
type AnyFault = Fault | FuzzFault | (OpenPack['faults'][number] & { readonly on: undefined });

/** Which reference agent to build. */
export interface Casting {
  readonly fault?: readonly string[];
  readonly variant?: string;
  readonly impostor?: string;
  /** Several faults at once. */
  readonly preset?: string;
  /** It speaks every binding of its version, and declares them. */
  readonly everyBinding?: boolean;
}

/** The services and limits of the agent. */
export interface Staging {
  readonly archive?: Archive;
  /** What the pack of the profile makes of the agent, and of an impostor. */
  readonly around?: Pick<Surroundings, 'part' | 'alone'> | undefined;
  /** With it the agent charges, and settles payments through it. */
  readonly till?: Pick<Till, 'patch'> | undefined;
  /** It is an agent that these are about. */
  readonly packs?: readonly Pick<OpenPack, 'agent' | 'faults'>[];
  /** How many tasks it keeps. Default: all. */
  readonly most?: StoreLimits;
}

export interface Cast {
  readonly resident: Resident;
  readonly variant: Variant | undefined;
  /** What is special about it, one line each. */
  readonly about: readonly string[];
  /** Restarts the agent, which keeps its tasks. */
  restart(): void;
  stop(): void;
}

/**
 * Builds the chosen reference agent. Throws `TckError('usage')` for unknown
 * ids, and for options that do not go together.
 */
export function cast(
  dialect: Dialect,
  casting: Casting,
  { archive = memoryArchive(), around, till, packs = [], most }: Staging = {},
): Cast {
  if (casting.impostor !== undefined) return castImpostor(dialect, casting, casting.impostor, around);
  const preset = choosePreset(dialect, casting);
  const known: readonly AnyFault[] = [
    ...faults,
    ...fuzzFaults,
    ...packs.flatMap((pack) => pack.faults.map((fault) => ({ ...fault, on: undefined }))),
  ];
  const chosen = (casting.fault ?? []).map((id) => named('fault', id, known, 'a2a-tck list faults shows them'));
  const variant = chooseVariant(dialect, casting, chosen);
  if (till === undefined) keepFree(variant, chosen);
  // A variant may declare interfaces of its own.
  const hasOther = casting.everyBinding === true && variant === undefined && isOfSeveral(dialect);
  const patches = [
    ...(hasOther ? [allBindings] : []),
    ...(till === undefined ? [] : [till.patch]),
    ...packs.map((pack) => pack.agent),
    ...(preset === undefined ? [] : patchesOf(preset)),
    ...(variant === undefined ? [] : [variant.patch]),
    ...chosen.map((fault) => fault.patch),
  ];
  let stop = (): void => {};
  let restart = (): void => {};
  return {
    variant,
    about: [
      ...(preset === undefined ? [] : [`preset ${preset.id}: ${preset.about}`]),
      ...(variant === undefined ? [] : [`variant ${variant.id}: ${variant.about}`]),
      ...chosen.map((fault) => `fault ${fault.id}: ${fault.about}`),
    ],
    resident: (baseUrl) => {
      const outbound = createHttpCarrier();
      const born = () =>
        createAgent({
          dialect,
          clock: realClock,
          baseUrl,
          patches,
          outbound,
          webhookHosts: kitWebhooks,
          archive,
          ...(most === undefined ? {} : { most }),
          ...(around === undefined ? {} : { part: around.part }),
        });
      let agent = born();
      restart = () => {
        agent.stop();
        agent = born();
      };
      stop = () => {
        agent.stop();
        void outbound.close();
      };
      return (request, signal) => agent.handle(request, signal);
    },
    restart: () => restart(),
    stop: () => stop(),
  };
}

/** Whether the version of a profile has several bindings. */
const isOfSeveral = ({ id, version }: Dialect): boolean =>
  dialects.some((other) => other.id !== id && other.version === version);

/** Faults and variants of payments need an agent that charges. Throws `TckError('usage')`. */
function keepFree(variant: Variant | undefined, chosen: readonly AnyFault[]): void {
  const ofPayments = (fault: AnyFault): boolean =>
    'breaks' in fault && fault.breaks[0]?.startsWith(`${charging.pack}.`) === true;
  const found = variant?.charges === true ? variant : chosen.find(ofPayments);
  if (found === undefined) return;
  throw new TckError('usage', `${found.id} needs an agent that charges`, `give ${charging.option} too`);
}

function choosePreset(dialect: Dialect, { preset: id }: Casting): Preset | undefined {
  if (id === undefined) return undefined;
  const preset = named('preset', id, presets, 'a2a-tck list presets shows them');
  if (preset.profile === dialect.id) return preset;
  throw new TckError('usage', `the preset ${id} does not exist for ${dialect.id}`, `it is one of ${preset.profile}`);
}

function castImpostor(
  dialect: Dialect,
  { fault = [], variant, preset }: Casting,
  id: string,
  around: Staging['around'],
): Cast {
  const impostor = named('impostor', id, impostors, 'a2a-tck list impostors shows them');
  if (fault.length > 0 || variant !== undefined || preset !== undefined) {
    throw new TckError(
      'usage',
      'an impostor is not an agent: it has no fault and no variant',
      'leave --fault and --variant out',
    );
  }
  if (!isFor(impostor, dialect)) {
    throw new TckError(
      'usage',
      `the impostor ${id} does not exist for ${dialect.id}`,
      `give --binding ${impostor.binding}`,
    );
  }
  return {
    resident: (baseUrl) =>
      impostor.carrier({
        dialect,
        clock: realClock,
        baseUrl,
        ...(around === undefined ? {} : { part: around.alone }),
      }),
    variant: undefined,
    about: [`impostor ${impostor.id}: ${impostor.about}`],
    restart: () => undefined,
    stop: () => undefined,
  };
}

/** The variant that was named, or the one that the faults need. */
function chooseVariant(dialect: Dialect, casting: Casting, chosen: readonly AnyFault[]): Variant | undefined {
  const ids = new Set([casting.variant, ...chosen.map((fault) => fault.on)].filter((id) => id !== undefined));
  if (ids.size > 1)
    throw new TckError('usage', `these need different variants: ${[...ids].join(', ')}`, 'take one fault at a time');
  const [id] = ids;
  if (id === undefined) return undefined;
  const variant = named('variant', id, variants, 'a2a-tck list variants shows them');
  if (!isFor(variant, dialect)) {
    throw new TckError(
      'usage',
      `the variant ${id} does not exist for ${dialect.id}`,
      variant.profiles === undefined ? undefined : `it is one of ${variant.profiles.join(', ')}`,
    );
  }
  return variant;
}

/** Starts the agent on a port. Throws `TckError('usage')` if the port is not available. */
export async function serve(resident: Resident, options: ServeOptions): Promise<Served> {
  try {
    return await serveAgent(resident, options);
  } catch (error) {
    const { host = '127.0.0.1', port = 0 } = options;
    throw new TckError('usage', `cannot listen on ${host}:${port}: ${causeOf(error)}`, '--port 0 takes a free one');
  }
}
