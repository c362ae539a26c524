import { createPacer, type Pacer, type Signer } from '../../../src/client/index.js';
import { dialectById } from '../../../src/dialect/index.js';
import { giveCredentials, source } from '../../../src/kit/index.js';
import { isLoopback, member, TckError } from '../../../src/model/index.js';
import {
  askSigned,
  type CallSigning,
  clockTold,
  type Detected,
  followed,
  type Prepared,
  type Preparing,
  skewOf,
} from '../../../src/run/index.js';
import { xprRules } from '../index.js';
import { secondXprCaller, verifies } from '../shared/asking.js';
import { type XprCaller, type XprScene, type XprSigning, xprPart } from '../shared/scene.js';
import {
  type ChainControl,
  headerNames,
  misreadings,
  privateKeyFor,
  publicKeyText,
  type Scheme,
  signedHeaders,
} from '../signing/index.js';
import { chooseScheme, schemesOf, type Trial } from './digest.js';
import type { KeysTold, XprOptions } from './options.js';

/** The default of the document, requests per minute. */
const usualRate = 20;
/** Requests per minute that the kit leaves to other clients. */
const spare = 2;
const windowMs = 60_000;
const noStub = 'give --xpr-stub, after a2a-tck stub --profile xpr: the agent must ask a chain of the kit';

/** Makes unknown callers from fresh UUIDs. */
export const strangers =
  (uuid: () => string): XprScene['stranger'] =>
  (account = madeUpAccount(uuid())) => ({ account, key: privateKeyFor(uuid()) });

/** A made-up account name of twelve allowed characters. */
export const madeUpAccount = (uuid: string): string =>
  `tck${uuid
    .replaceAll('-', '')
    .replace(/[06789]/g, 'g')
    .slice(0, 9)}`;

/**
 * On a chain of the kit, makes the accounts that the user did not give: two registered ones, and an unregistered one.
 */
async function withStub(xpr: XprOptions, uuid: () => string): Promise<XprOptions> {
  const { stub } = xpr;
  if (stub === undefined) return xpr;
  const made = async (isRegistered: boolean): Promise<XprCaller> => {
    const caller = { account: madeUpAccount(uuid()), key: privateKeyFor(uuid()) };
    await enrol(stub, caller, isRegistered);
    return caller;
  };
  return {
    ...xpr,
    first: xpr.first ?? (await made(true)),
    second: xpr.second ?? (await made(true)),
    unregistered: xpr.unregistered ?? (await made(false)),
  };
}

/** Puts an account on the chain of the kit, with the highest trust. */
async function enrol(stub: ChainControl, { account, key }: XprCaller, isRegistered: boolean): Promise<void> {
  const active = {
    name: 'active',
    threshold: 1,
    keys: [{ key: publicKeyText(key.publicKey), weight: 1 }],
    accounts: [],
  };
  await stub.setAccount({ name: account, permissions: [active] });
  await stub.setKyc({ account, verified: 1, kyc: [3] });
  if (isRegistered) await stub.setAgent({ account, active: true, registeredAt: 1 });
}

/** How calls are signed with these options. */
export const signingBy = (xpr: XprOptions): CallSigning => ({
  account: xpr.first?.account,
  hint: '--profile xpr judges it as an XPR agent',
  prepare: (preparing, detected) => prepareXpr(xpr, preparing, detected),
});

/** A second caller shows nothing to an agent that verifies no signatures. */
const second = source('a second account', async (scene) => {
  await scene.use(verifies);
  secondXprCaller(scene);
});

/** Prepares the checks of signed requests. Throws `TckError` for options that do not fit together. */
async function prepareXpr(given: XprOptions, preparing: Preparing, detected: Detected): Promise<Prepared> {
  const { wire, clock, uuid, onWait, signal, isOver } = preparing;
  const xpr = await withStub(given, uuid);
  const document = detected.target.cardDocument;
  const skew = skewOf(detected.probed, detected.target.cardExchange);
  const seconds = (): number => Math.floor((clock.now() + followed(skew)) / 1000);
  const { rate = usualRate } = xpr;
  const pacers = new Map<string, Pacer>();
  function pacerOf(account: string): Pacer {
    const known = pacers.get(account);
    if (known !== undefined) return known;
    const limit = Math.max(1, rate - spare);
    const made = createPacer({
      clock,
      limit,
      windowMs,
      onWait,
      ...(signal === undefined ? {} : { signal }),
      ...(isOver === undefined ? {} : { isOver }),
    });
    pacers.set(account, made);
    return made;
  }
  const signerOf = ({ account, key }: XprCaller, usual: Scheme, signing: XprSigning = {}): Signer => {
    const pacer = pacerOf(account);
    const paced = signing.paced ?? true;
    return {
      async turn(until) {
        if (paced) return pacer.turn(until);
        pacer.note();
        return true;
      },
      headers: ({ body = new Uint8Array() }, as = {}) => {
        const timestamp = as.timestamp ?? String(signing.timestamp ?? seconds());
        const claim = { account: as.account ?? account, timestamp, body };
        const scheme = signing.scheme ?? usual;
        const headers = signedHeaders({ ...claim, key, scheme });
        const { misreading } = as;
        if (misreading === undefined) return headers;
        const other = misreadings(scheme, claim, key).find(({ id }) => id === misreading);
        if (other === undefined) return headers;
        return headers.map(([name, value]) => [name, name === headerNames.signature ? other.text : value] as const);
      },
    };
  };
  const { first } = xpr;
  const isLetIn: Trial = async (scheme) => {
    if (first === undefined) return false;
    const { turn, headers } = signerOf(first, scheme);
    await turn();
    const outcome = await askSigned({ wire, uuid }, detected, headers);
    return outcome.kind === 'result' || (outcome.kind === 'refusal' && outcome.error === 'TaskNotFound');
  };
  const schemes = await schemesOf(xpr, document);
  const { scheme, evidence } = await chooseScheme(xpr, detected.dialect, schemes, isLetIn);
  const dialect = dialectById(scheme.lines === 5 ? 'xpr-v2' : 'xpr');
  if (dialect === undefined) throw new TckError('internal', 'the XPR dialect is gone');
  const keys = await keysTold(xpr);
  const stated = statesSigning(document) ? [] : ['the card does not say that calls are signed'];
  const isHere = isLoopback(new URL(detected.target.endpoint).hostname);
  const scene: Omit<XprScene, 'stranger'> = {
    scheme,
    first,
    keyDoubt: keys.doubt,
    second: xpr.second,
    unregistered: xpr.unregistered,
    rate,
    isRateStated: xpr.rate !== undefined,
    slow: xpr.slow,
    minKyc: xpr.minKyc,
    minTrust: xpr.minTrust,
    stub: xpr.stub,
    stubOff: xpr.stub === undefined ? noStub : '',
    seconds,
    as: (caller, signing) => ({ headers: [], query: [], signer: signerOf(caller, scheme, signing) }),
  };
  return {
    dialect,
    signer: first && signerOf(first, scheme),
    secondSigner: xpr.second && signerOf(xpr.second, scheme),
    rules: xprRules,
    callers: {
      pack: xprPart.pack,
      advice:
        first === undefined
          ? giveCredentials(dialect.signed?.give)
          : `is the key of ${first.account} right, the account registered, --xpr-digest right?`,
      second,
    },
    sendsOff:
      xpr.allowSend || isHere ? undefined : 'each message starts work on this agent; --xpr-allow-send allows it',
    evidence: [...clockTold(skew), ...evidence, ...keys.lines, ...stated],
    addition: { pack: xprPart.pack, of: (own) => ({ ...scene, stranger: strangers(own) }) satisfies XprScene },
  };
}

const statesSigning = (document: unknown): boolean =>
  ['securitySchemes', 'security'].some((name) => member(document, name) !== undefined) ||
  Array.isArray(member(member(document, 'capabilities'), 'extensions'));

/** Reads the given keys on the chain, before the run. */
async function keysTold({ chain, first, second }: XprOptions): Promise<KeysTold> {
  const keys = first && (await chain?.keysOf(first));
  const other = second && (await chain?.keysOf(second));
  const lines = [...(keys?.lines ?? []), ...(other?.lines ?? [])];
  return keys?.doubt === undefined ? { lines } : { lines, doubt: keys.doubt };
}
