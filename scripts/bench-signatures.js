// Compares the kit with @proton/js on signed requests of the XPR dialect: in one process and in turns, so that both see
// the same machine at the same moment. Medians of the same requests.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const requests = 600;
/** Requests before the measurement, so that both are compiled and the tables of the curve are made. */
const warmUp = 150;

function timed(times, work) {
  const started = performance.now();
  const result = work();
  times.push(performance.now() - started);
  return result;
}

/** The order changes with every request. */
function inTurn(turn, first, second) {
  if (turn % 2 === 0) return [first(), second()];
  const later = second();
  return [first(), later];
}

function agree(what, [ours, theirs]) {
  if (ours !== theirs) throw new Error(`the kit and @proton/js do not agree: ${what}`);
  return ours;
}

export async function benchSignatures(dist, { row, median }) {
  const xpr = await import(pathToFileURL(join(dist, 'packs/xpr/signing/index.js')).href);
  const { Key, sha256 } = createRequire(import.meta.url)('@proton/js');
  const scheme = { lines: 3 };
  const account = 'alice';
  const key = xpr.privateKeyFor('benchmark');
  const expected = xpr.publicKeyText(key.publicKey);
  const theirKey = Key.PrivateKey.fromString(xpr.wif(key));
  const theirDigest = (timestamp, text) => Buffer.from(sha256(`${account}\n${timestamp}\n${sha256(text)}`), 'hex');

  const times = { sign: [[], []], verify: [[], []] };
  for (let turn = 0; turn < requests + warmUp; turn += 1) {
    const timestamp = String(1_704_067_200 + turn);
    const text = JSON.stringify({ jsonrpc: '2.0', id: turn, method: 'tasks/get', params: { id: `task-${turn}` } });
    const claim = { account, timestamp, body: Buffer.from(text) };
    const [sign, verify] =
      turn < warmUp
        ? [
            [[], []],
            [[], []],
          ]
        : [times.sign, times.verify];
    const signature = agree(
      'signature',
      inTurn(
        turn,
        () => timed(sign[0], () => xpr.signatureFor(scheme, claim, key)),
        () => timed(sign[1], () => theirKey.sign(theirDigest(timestamp, text)).toString()),
      ),
    );
    const verified = agree(
      'verification',
      inTurn(
        turn,
        () =>
          timed(verify[0], () => {
            const hash = xpr.signedHash(xpr.digest(scheme, claim));
            return xpr.publicKeyText(xpr.recover(hash, xpr.readSignature(signature))) === expected;
          }),
        () =>
          timed(verify[1], () => {
            const found = Key.Signature.fromString(signature).recover(theirDigest(timestamp, text));
            return found.toString() === expected;
          }),
      ),
    );
    if (!verified) throw new Error('the key recovered from a signature is wrong');
  }
  for (const [name, sides] of Object.entries(times)) {
    const [ours, theirs] = sides.map(median);
    const figures = `${ours.toFixed(2)} (@proton/js ${theirs.toFixed(2)}, ratio ${(ours / theirs).toFixed(2)})`;
    row(`XPR: ${name} a request, ms`, figures);
  }
}
