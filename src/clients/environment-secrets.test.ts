import { expect, test } from 'vitest';
import { secretsInEnvironment } from './environment-secrets.js';

test.each([
  'GITHUB_TOKEN',
  'npm_config__authToken',
  'AWS_SECRET_ACCESS_KEY',
  'OPENAI_API_KEY',
  'apiKey',
  'PGPASSWORD',
  'MYSQL_PWD',
  'DB_PASS',
  'CLIENT_SECRET_2',
  'GOOGLE_CREDENTIALS_JSON',
  'SESSION_COOKIE',
  'KEY',
])('the value of %s is a secret', (name) => {
  expect(secretsInEnvironment({ [name]: 'f3c1-9a77-e002' })).toEqual(['f3c1-9a77-e002']);
});

test.each([
  ['PATH', '/usr/local/bin:/usr/bin'],
  ['KEYBOARD', 'qwertz-layout'],
  ['TOKENIZERS_PARALLELISM', 'disabled-for-now'],
  ['MONKEY', 'chimpanzee'],
  ['COMPASS', 'north-north-east'],
  ['SSH_KEY', '/home/somebody/.ssh/id_ed25519'],
  ['SSH_KEY', '~/.ssh/id_ed25519'],
  ['SSH_KEY', 'C:\\keys\\id_ed25519'],
  ['TOKEN', 'short'],
  ['USE_TOKEN', 'disabled'],
  ['TOKEN_KEY', 'https://keys.test/id/of/key'],
  ['GIT_AUTH', undefined],
])('%s=%s is not a secret', (name, value) => {
  expect(secretsInEnvironment({ [name]: value })).toEqual([]);
});

test('user and password of a URL are secrets, whatever the variable is called', () => {
  const found = secretsInEnvironment({ DATABASE: 'postgres://me:correct%20horse@db.test/x', HOME: 'https://a.test/' });
  expect(found).toContain('correct horse');
});

test('the lines of a private key are secrets each', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\nAgEGCCqGSM49AwEHBG0w\n-----END PRIVATE KEY-----\n';
  expect(secretsInEnvironment({ SIGNING_KEY: key })).toEqual([
    key.trim(),
    'MIGHAgEAMBMGByqGSM49',
    'AgEGCCqGSM49AwEHBG0w',
  ]);
});
