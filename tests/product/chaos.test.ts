import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { KILLED, PREPARED_DATA_VARIABLE } from '@/scripts/chaos/options.mjs';
import { findProgram } from '@/scripts/test/redis.mjs';

/** It stops by itself earlier: 15 min of faults at most, and as much for what is late. */
const TIMEOUT_MS = 35 * 60_000;

describe('npm run chaos', () => {
  let child: ChildProcess | undefined;
  // It stops the product that it has started.
  afterAll(() => void child?.kill('SIGTERM'));

  it(
    '[FLT-3.1] finds nothing lost, doubled or left behind after each part was killed once',
    async () => {
      const { PATH, HOME, [PREPARED_DATA_VARIABLE]: prepared } = process.env;
      const args = [
        'scripts/chaos.mjs',
        '--kills',
        '7',
        '--seed',
        '7',
        '--minutes',
        '15',
        '--projects',
        '3',
      ];
      child = spawn(process.execPath, args, {
        cwd: checkout,
        env: { NODE_ENV: 'test', PATH, HOME, [PREPARED_DATA_VARIABLE]: prepared },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (chunk: string) => {
          output += chunk;
        });
      }
      const [code] = await once(child, 'close');
      expect(output).toContain('Nothing was lost, doubled or left behind.');
      const parts = findProgram('redis-server')
        ? KILLED
        : KILLED.filter((name) => name !== 'redis');
      for (const part of parts) expect(output).toMatch(new RegExp(`^ +${part} +[1-9]`, 'm'));
      expect(code).toBe(0);
    },
    TIMEOUT_MS,
  );
});
