import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseRunnerEnv } from '@/workers/runner/env';
import { readSecrets, SECRETS } from './secret-files.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(content: string, name = 'secret'): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('[SEC-4.1] secrets as files', () => {
  it.each(SECRETS.filter((name) => !name.endsWith('_PASSWORD')))(
    'takes %s from the file of its _FILE variable, and leaves that one out',
    (name) => {
      const file = fileWith('the secret');
      expect(readSecrets({ [`${name}_FILE`]: file, PORT: '3000' })).toEqual({
        [name]: 'the secret',
        PORT: '3000',
      });
    },
  );

  it.each([
    ['secret\n', 'secret'],
    ['secret\r\n', 'secret'],
    [' secret ', ' secret '],
    ['two\nlines\n', 'two\nlines'],
  ])('cuts one line break off %j and nothing else', (content, secret) => {
    const env = { TIERWATCH_SECRET_KEY_FILE: fileWith(content) };
    expect(readSecrets(env).TIERWATCH_SECRET_KEY).toBe(secret);
  });

  it('ignores an empty _FILE variable, as Compose passes it', () => {
    expect(readSecrets({ SMTP_URL_FILE: '', SMTP_URL: 'smtp://mail' })).toEqual({
      SMTP_URL: 'smtp://mail',
    });
  });

  it('changes nothing the second time, nor what it was given', () => {
    const env = { REDIS_URL: 'redis://redis:6379', REDIS_PASSWORD_FILE: fileWith('p') };
    const once = readSecrets(env);
    expect(readSecrets(once)).toEqual(once);
    expect(Object.keys(env)).toEqual(['REDIS_URL', 'REDIS_PASSWORD_FILE']);
  });

  it.each([
    ['redis://redis:6379', 'REDIS', 'redis://:a%2Fb%40c%3Ad@redis:6379'],
    [
      'redis://tierwatch_runner@redis:6379',
      'REDIS',
      'redis://tierwatch_runner:a%2Fb%40c%3Ad@redis:6379',
    ],
    [
      'postgresql://owner@db:5432/tierwatch',
      'DATABASE',
      'postgresql://owner:a%2Fb%40c%3Ad@db:5432/tierwatch',
    ],
  ])('adds the password to %s', (address, name, expected) => {
    const env = { [`${name}_URL`]: address, [`${name}_PASSWORD_FILE`]: fileWith('a/b@c:d') };
    expect(readSecrets(env)).toEqual({ [`${name}_URL`]: expected });
  });

  it.each([
    [
      'both forms',
      { SMTP_URL: 'smtp://mail', SMTP_URL_FILE: fileWith('smtp://mail') },
      'SMTP_URL and SMTP_URL_FILE are both set',
    ],
    [
      'a missing file',
      { SMTP_URL_FILE: path.join(folder, 'missing') },
      'there is no such file. Create it, or correct the path.',
    ],
    ['a folder', { SMTP_URL_FILE: folder }, 'it is a folder'],
    ['an empty file', { SMTP_URL_FILE: fileWith('', 'empty') }, 'which is empty'],
    ['a blank file', { SMTP_URL_FILE: fileWith(' \n', 'blank') }, 'which is empty'],
    [
      'two passwords',
      { REDIS_URL: 'redis://:one@redis', REDIS_PASSWORD: 'two' },
      'REDIS_URL contains a password, and REDIS_PASSWORD is set too',
    ],
    ['a password for nothing', { REDIS_PASSWORD: 'two' }, 'without REDIS_URL'],
  ])('refuses %s', (_what, env, message) => {
    expect(() => readSecrets(env)).toThrow(message);
  });

  it('never repeats a secret in a message', () => {
    const env = { REDIS_URL: 'redis://:one-secret@redis', REDIS_PASSWORD: 'two-secret' };
    expect(() => readSecrets(env)).toThrow(/^((?!-secret).)*$/s);
  });

  it('names each secret that can’t be used', () => {
    const env = { SMTP_URL_FILE: '/missing/one', APPRISE_URL_FILE: '/missing/two' };
    expect(() => readSecrets(env)).toThrow(/SMTP_URL_FILE.*\n.*APPRISE_URL_FILE/s);
  });

  it('is how a runner reads its environment', () => {
    const key = fileWith('the key\n', 'key');
    const runner = { TIERWATCH_URL: 'http://web:3000', TIERWATCH_RUNNER_KEY_FILE: key };
    expect(parseRunnerEnv(runner).key).toBe('the key');
  });
});
