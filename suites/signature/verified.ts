import {
  brief,
  callableUrl,
  canParseUrl,
  cardVerifier,
  check,
  inconclusive,
  isObject,
  isPublicHost,
  isString,
  type JsonObject,
  type Judgement,
  member,
  protectedHeader,
  repliesOf,
  type Scene,
  source,
  stringMember,
  type Verification,
  verificationProblems,
} from '../../src/kit/index.js';

// A2A 1.0 §8.4: JWS over the card in the form of RFC 8785. Every interpretation of that form counts (AMB10-24).

interface Signature {
  readonly value: JsonObject;
  readonly kid: string | undefined;
  readonly jku: string | undefined;
  /** The keys at `jku`, or a text that says why there are none. */
  readonly keys: readonly unknown[] | string;
  /** The URL was fetched, and did not return a key set. */
  readonly isWrong: boolean;
}

/** At most so many signatures are tried: each may cost a request. */
const most = 4;
/** At most so many keys are tried per signature: each costs a hash of each form of the card. */
const mostKeys = 16;

/** Fetches keys without credentials, only from the card's origin and from origins that the user allowed. */
async function keysAt(scene: Scene, jku: string | undefined): Promise<Pick<Signature, 'keys' | 'isWrong'>> {
  const open = (keys: string) => ({ keys, isWrong: false });
  if (jku === undefined) return open('the protected header names no jku, and the kit has no other key');
  if (!canParseUrl(jku)) return { keys: `the jku ${brief(jku)} is not a URL`, isWrong: true };
  const at = callableUrl(scene.target, jku);
  if (at === undefined)
    return open(`allow it with --allow-origin: the key is at ${new URL(jku).origin}, which was not allowed`);
  const exchange = await scene.client.get(at, [], 'none');
  const { response, failure } = exchange;
  if (response === undefined) return open(`${jku} gave no answer: ${failure?.detail}`);
  const [reply] = repliesOf(exchange);
  const keys = reply?.type === 'json' ? member(reply.value, 'keys') : undefined;
  if (response.status === 200 && Array.isArray(keys)) return { keys, isWrong: false };
  const said = `${jku} gave HTTP ${response.status} and no key set`;
  return { keys: said, isWrong: response.status < 500 && response.status !== 429 };
}

/** Fetches each URL once. */
const signatures = source('the signatures of the card and their keys', async (scene): Promise<readonly Signature[]> => {
  const sets = new Map<string | undefined, Pick<Signature, 'keys' | 'isWrong'>>();
  const signatures: Signature[] = [];
  for (const value of scene.card.signatures.filter(isObject).slice(0, most)) {
    const head = protectedHeader(value);
    const jku = stringMember(head, 'jku');
    const set = sets.get(jku) ?? (await keysAt(scene, jku));
    sets.set(jku, set);
    signatures.push({ value, kid: stringMember(head, 'kid'), jku, ...set });
  }
  return signatures;
});

/** The keys that a signature names; without a `kid` all keys of the set. */
const keysFor = ({ kid, keys }: Signature): readonly unknown[] =>
  isString(keys) ? [] : keys.filter((key) => kid === undefined || stringMember(key, 'kid') === kid);

// In our words (1.0, 8.4.1 Canonicalization Requirements): The signature verifies over the JCS form of the card without
//   `signatures`.
export const verifies = check('signature/verifies', 'sig.verifies-canonical')
  .given('signatures', signatures)
  .when('the client verifies the card', async ({ signatures, target, card }) => {
    const document = target.cardDocument;
    const verify = isObject(document) ? cardVerifier(document) : undefined;
    const judged = signatures.map((signature) => {
      const keys = verify === undefined ? [] : keysFor(signature);
      return {
        signature,
        tried: keys.slice(0, mostKeys).flatMap((key) => verify?.(signature.value, key) ?? []),
        untried: Math.max(0, keys.length - mostKeys),
      };
    });
    // The card is the signed document, so it is the exhibit, not the fetched keys.
    return { judged, count: card.signatures.filter(isObject).length, exhibit: target.cardExchange };
  })
  // §8.4.3: during a change of keys the card may have several signatures; one valid signature is enough.
  .expects('serve the card over which one of the signatures was made', ({ judged, count }): Judgement => {
    const all = judged.flatMap(({ tried }) => tried);
    if (all.some(({ verified }) => verified)) return undefined;
    // One of the keys that were not tried may fit, if the failure depends on the key.
    const untried = Math.max(...judged.map((entry) => entry.untried));
    if (
      untried > 0 &&
      all.some((trial) => !trial.verified && (trial.problem === 'signature' || trial.problem === 'key'))
    ) {
      const named = untried + mostKeys;
      return inconclusive(
        `name one key per signature: the header fits ${named} keys, the kit tried ${mostKeys}, and none verifies it`,
      );
    }
    const broken = all.find((trial): trial is Verification & { verified: false } => !trial.verified);
    // A key that cannot be fetched, or an algorithm that the kit does not know, shows nothing.
    const isWrong = all.length > 0 && all.every((trial) => !trial.verified && trial.problem !== 'algorithm');
    if (isWrong && broken !== undefined && judged.every(({ tried }) => tried.length > 0)) {
      if (count > most)
        return inconclusive(
          `sign the card with fewer keys: it has ${count} signatures, the kit tried ${most}, and none verifies`,
        );
      return `no signature verifies: ${verificationProblems[broken.problem]}`;
    }
    const keyless = judged.find(({ tried }) => tried.length === 0)?.signature;
    if (keyless !== undefined)
      return inconclusive(isString(keyless.keys) ? keyless.keys : 'the key set lacks the key that the signature names');
    return inconclusive(
      `the kit can verify no signature: ${broken === undefined ? 'the card has none' : verificationProblems[broken.problem]}`,
    );
  })
  .advice('Sign the served card: without `signatures`, in the form of RFC 8785, with the key that jku names.');

// In our words (1.0, 8.4.3 Signature Verification): A `jku` is an https URL that serves a JWKS holding the `kid`.
export const jku = check('signature/jku', 'sig.jku')
  .given('signatures', signatures)
  .when('the client fetches the keys of the signatures', async ({ signatures }) => signatures)
  .expects('serve at each https jku a key set with the named key', (signatures): Judgement => {
    const withJku = signatures.filter((signature) => signature.jku !== undefined);
    let open: Judgement;
    for (const signature of withJku) {
      const url = canParseUrl(signature.jku ?? '') ? new URL(signature.jku ?? '') : undefined;
      // Test deployments often have no TLS.
      if (url !== undefined && url.protocol !== 'https:' && isPublicHost(url.hostname))
        return `${signature.jku} is not https`;
      if (isString(signature.keys)) {
        if (signature.isWrong) return signature.keys;
        open ??= inconclusive(signature.keys);
      } else if (keysFor(signature).length === 0)
        return `the key set at ${signature.jku} lacks the key ${brief(signature.kid)}`;
    }
    return withJku.length === 0 ? inconclusive('no signature names a jku') : open;
  })
  .advice(
    'Serve a key set with the kid of the signature at the jku, under https and by its whole URL; keep old keys in it.',
  );

/** The members of a JWK that only its owner may know (RFC 7518 §6.2.2, §6.3.2, §6.4.1). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'] as const;

// In our words (1.0, 13.4 General Security Best Practices): Private keys are secrets: the key set of a signature holds
//   none.
export const keysPublic = check('signature/keys-public', 'sig.keys-public')
  .given('signatures', signatures)
  .when('the client fetches the keys of the signatures', async ({ signatures }) => signatures)
  .expects('serve no private key', (all): Judgement => {
    const sets = all.flatMap(({ keys, jku }) => (isString(keys) ? [] : [{ keys, jku }]));
    if (sets.length === 0) return inconclusive('the kit fetched no key set');
    for (const { keys, jku } of sets) {
      const found = privateMembers.find((name) => keys.some((key) => stringMember(key, name) !== undefined));
      if (found !== undefined) return `a key at ${jku} has the private member ${found}`;
    }
    return undefined;
  })
  .advice('Serve the public members only, and replace the key: every reader of the set can sign cards with it.');
