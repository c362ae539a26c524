import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { plainCheck, plainFinding, reportOf as plainReport } from '../../test/reports.js';
import { TckError } from '../model/index.js';
import { type CheckResult, judgeGate, type Report } from '../report/index.js';
import { opened, sealed } from './envelope.js';
import { generateKeys, keyId, readPrivateKey, readPublicKey } from './key.js';
import { statementOf } from './statement.js';

const result = (id: string, verdict: CheckResult['verdict'], level: CheckResult['level'] = 'must'): CheckResult => ({
  ...plainCheck,
  id,
  verdict,
  level,
});

function reportOf(checks: readonly CheckResult[], run: Partial<Report['run']> = {}): Report {
  const plain = plainReport(checks);
  return {
    ...plain,
    target: { ...plain.target, cardUrl: 'http://a.test/card', cardDigest: 'ab'.repeat(32) },
    run: { ...plain.run, ...run },
    gate: judgeGate(checks, { strict: false }),
  };
}

const pair = generateKeys();
const key = readPrivateKey(pair.privateKey);
const publicKey = readPublicKey(pair.publicKey);
const fileOf = (document: unknown): Uint8Array => Buffer.from(`${JSON.stringify(document)}\n`);
const statement = statementOf(reportOf([result('a/b', 'pass')]), '{}');

describe('the statement', () => {
  test.for<[string, readonly CheckResult[], Partial<Report['run']>, string]>([
    ['all passed', [result('a/b', 'pass'), result('a/c', 'not-applicable')], {}, 'PASSED'],
    ['a MUST is open', [result('a/b', 'pass'), result('a/c', 'inconclusive')], {}, 'WARNED'],
    ['nothing is shown', [], {}, 'FAILED'],
    [
      'less than half is shown',
      [result('a/b', 'pass'), ...['c', 'd'].map((id) => result(id, 'inconclusive'))],
      {},
      'FAILED',
    ],
    ['a SHOULD failed', [result('a/b', 'pass'), result('a/c', 'fail', 'should')], {}, 'WARNED'],
    ['a known failure', [result('a/b', 'pass'), { ...result('a/c', 'fail'), baseline: 'known' }], {}, 'WARNED'],
    ['chosen checks', [result('a/b', 'pass')], { selection: { suites: ['a'], checks: [], level: 'may' } }, 'WARNED'],
    ['a MUST failed', [result('a/b', 'pass'), result('a/c', 'fail')], {}, 'FAILED'],
    ['an error of the kit', [result('a/b', 'pass'), result('a/c', 'error')], {}, 'FAILED'],
  ])('%s', ([, checks, run, expected]) => {
    expect(statementOf(reportOf(checks, run), '{}').predicate.result).toBe(expected);
  });

  test('a run that checked no certificate is never PASSED, and says so', () => {
    const report = reportOf([result('a/b', 'pass')]);
    const { predicate } = statementOf({ ...report, target: { ...report.target, insecure: true } }, '{}');
    expect(predicate.result).toBe('WARNED');
    expect(predicate.configuration).toContainEqual({ name: 'certificates', annotations: { checked: false } });
    expect(JSON.stringify(statement.predicate.configuration)).not.toContain('certificates');
  });

  test('each interface is named, with what was judged of it', () => {
    const report = reportOf([result('a/b', 'pass')]);
    const shared = { binding: 'JSONRPC', version: '1.0', declared: true };
    const interfaces = [
      { ...shared, url: 'http://a.test/', judged: 'in-full' as const },
      { ...shared, url: 'http://a.test/t', tenant: 't', judged: 'not' as const, why: 'a reason' },
    ];
    const { configuration } = statementOf({ ...report, target: { ...report.target, interfaces } }, '{}').predicate;
    expect(configuration.filter(({ name }) => name === 'interface')).toEqual([
      { name: 'interface', uri: 'http://a.test/', annotations: { ...shared, judged: 'in-full' } },
      {
        name: 'interface',
        uri: 'http://a.test/t',
        annotations: { ...shared, tenant: 't', judged: 'not', why: 'a reason' },
      },
    ]);
  });

  test('what was not shown is in no list', () => {
    const verdicts = ['pass', 'fail', 'inconclusive', 'not-applicable', 'error'] as const;
    const checks = verdicts.flatMap((verdict) => [
      result(`must/${verdict}`, verdict),
      result(`should/${verdict}`, verdict, 'should'),
    ]);
    expect(statementOf(reportOf(checks), '{}').predicate).toMatchObject({
      passedTests: ['must/pass', 'should/pass'],
      warnedTests: ['should/fail'],
      failedTests: ['must/fail'],
    });
  });

  test('findings of the fuzzer stand beside the checks', () => {
    const weakness = { ...plainFinding, level: 'should' as const };
    const breaking = { ...plainFinding, level: 'must' as const, id: 'f-0', confirmed: { times: 3, of: 3 } };
    const { predicate } = statementOf({ ...reportOf([result('a/b', 'pass')]), findings: [weakness, breaking] }, '{}');
    expect(predicate).toMatchObject({
      result: 'WARNED',
      warnedTests: [`finding/${weakness.id}`],
      failedTests: ['finding/f-0'],
    });
  });

  test('the card is its subject; without one, and of a part, there is none', () => {
    expect(statement.subject).toMatchObject([{ name: 'http://a.test/card', digest: { sha256: 'ab'.repeat(32) } }]);
    const { cardDigest: _, ...target } = reportOf([]).target;
    expect(() => statementOf({ ...reportOf([]), target }, '{}')).toThrow(TckError);
    expect(() => statementOf(reportOf([], { shard: { index: 1, of: 2, plan: '' } }), '{}')).toThrow(TckError);
  });

  test('another report has another digest', () => {
    const digests = ['{}', '{ }'].map((file) => statementOf(reportOf([]), file).predicate.configuration.at(-1)?.digest);
    expect(digests[0]).not.toEqual(digests[1]);
  });
});

describe('the envelope', () => {
  test('says what was signed', () => {
    expect(opened(fileOf(sealed(statement, key)), publicKey)).toEqual({ genuine: true, statement });
  });

  test('is refused, or the same document, when any bit is changed', () => {
    const envelope = sealed(statement, key);
    const file = fileOf(envelope);
    let same = 0;
    for (let bit = 0; bit < file.length * 8; bit++) {
      const changed = Uint8Array.from(file);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      if (!opened(changed, publicKey).genuine) continue;
      expect(JSON.parse(Buffer.from(changed).toString())).toEqual(envelope);
      same++;
    }
    // White space at the end does not belong to the document.
    expect(same).toBeLessThan(8);
  });

  test('is refused by other keys', () => {
    const other = readPublicKey(generateKeys().publicKey);
    expect(opened(fileOf(sealed(statement, key)), other)).toMatchObject({ genuine: false });
    const claimed = {
      ...sealed(statement, key),
      signatures: [{ ...sealed(statement, key).signatures[0], keyid: keyId(other) }],
    };
    expect(opened(fileOf(claimed), other)).toEqual({ genuine: false, reason: 'the signature does not fit' });
  });

  const good = sealed(statement, key);
  const [signature] = good.signatures;
  test.for<[string, unknown]>([
    ['no object', []],
    ['a further member', { ...good, more: 1 }],
    ['another type', { ...good, payloadType: 'text/plain' }],
    ['no signature', { ...good, signatures: [] }],
    ['two signatures', { ...good, signatures: [signature, signature] }],
    ['a further member in the signature', { ...good, signatures: [{ ...signature, cert: '' }] }],
    ['base64 that is written otherwise', { ...good, payload: `${good.payload} ` }],
    ['the other alphabet', { ...good, signatures: [{ ...signature, sig: `-${signature?.sig.slice(1)}` }] }],
    ['a member that objects have from birth', JSON.parse('{"__proto__":{},"payload":"","payloadType":""}')],
  ])('is refused with %s', ([, document]) => {
    expect(opened(fileOf(document), publicKey)).toMatchObject({ genuine: false });
  });

  test('a signed document that is not a result is refused', () => {
    const body = Buffer.from('{"_type":"https://in-toto.io/Statement/v1"}');
    const type = 'application/vnd.in-toto+json';
    const sig = sign(null, Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${body.length} `), body]), key);
    const envelope = {
      payload: body.toString('base64'),
      payloadType: type,
      signatures: [{ keyid: keyId(key), sig: sig.toString('base64') }],
    };
    expect(opened(fileOf(envelope), publicKey)).toEqual({
      genuine: false,
      reason: 'it is signed, but no result of a test run',
    });
  });
});

describe('keys', () => {
  test('both halves have one id', () => {
    expect(keyId(key)).toBe(keyId(createPublicKey(pair.privateKey)));
    expect(keyId(key)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('what is none is one clear error that quotes nothing', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const other = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const wrong of ['', 'sesame', other, pair.publicKey]) {
      expect(() => readPrivateKey(wrong)).toThrow(expect.objectContaining({ code: 'usage' }));
      expect(() => readPrivateKey(wrong)).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining('sesame') }),
      );
    }
    for (const wrong of ['', 'sesame', pair.privateKey]) {
      expect(() => readPublicKey(wrong)).toThrow(expect.objectContaining({ code: 'usage' }));
    }
  });
});
