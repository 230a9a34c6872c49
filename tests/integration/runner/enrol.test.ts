import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { enrolRunner } from '@/workers/runner/enrol';
import { parseRunnerEnv } from '@/workers/runner/env';
import { readRunnerKey } from '@/workers/runner/runner-key';
import {
  type FakeControlPlane,
  RUNNER_KEY,
  startFakeControlPlane,
} from '../../support/fake-control-plane/fake-control-plane';

let plane: FakeControlPlane;
let dir: string;
beforeEach(async () => {
  plane = await startFakeControlPlane();
  dir = mkdtempSync(path.join(tmpdir(), 'tw-enrol-'));
});
afterEach(async () => {
  await plane.close();
  rmSync(dir, { recursive: true, force: true });
});

it('a one-time token is traded for a key that only the runner’s user can read', async () => {
  const enrolled = await enrolRunner({ url: `${plane.url}/`, token: 'good-token', dir });
  expect(enrolled.pool).toBe('default');
  expect(readFileSync(enrolled.keyFile, 'utf8').trim()).toBe(RUNNER_KEY);
  expect(statSync(enrolled.keyFile).mode & 0o777).toBe(0o600);
  expect(await readRunnerKey({ key: null, dir })).toBe(RUNNER_KEY);
});

it('a token that was used leaves no key', async () => {
  await expect(enrolRunner({ url: plane.url, token: 'used', dir })).rejects.toThrow('403');
  await expect(readRunnerKey({ key: null, dir })).rejects.toThrow('This runner has no key.');
});

it.each([
  [{ TIERWATCH_URL: 'tierwatch' }, 'TIERWATCH_URL: must be the address'],
  [
    { TIERWATCH_RUNNER_CONCURRENCY: 'many' },
    'TIERWATCH_RUNNER_CONCURRENCY: must be a whole number',
  ],
  [{ TIERWATCH_RUNNER_DIR: `/${'x'.repeat(120)}` }, 'TIERWATCH_RUNNER_DIR: is too long'],
  [{ TIERWATCH_RUNNER_QUEUE_URL: 'redis://x' }, 'TIERWATCH_RUNNER_QUEUE_URL: wants a postgresql'],
  [{ TIERWATCH_RUNNER_PASS_ENV: 'A,B C' }, 'TIERWATCH_RUNNER_PASS_ENV: must be names'],
])('a bad variable stops the start with its name: %j', (changes, message) => {
  const source = { TIERWATCH_URL: 'http://127.0.0.1:1', ...changes };
  expect(() => parseRunnerEnv(source)).toThrow(message);
});
