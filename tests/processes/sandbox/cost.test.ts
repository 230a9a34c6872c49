/** What confinement costs. How long it takes is for the bench; how often somebody has to be asked is a fact. */

import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { NO_TARGETS } from '@/lib/commands/service-values';
import { canConfine } from '@/tests/support/confinement';
import { startRunnerHost } from '@/tests/support/fake-control-plane/runner-host';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');

const AGENT = `
const { spawnSync } = require('node:child_process');
init();
for (let i = 0; i < 3; i += 1) spawnSync('docker', ['ps']);
for (let i = 0; i < 2; i += 1) spawnSync('docker', ['restart', 'web']);
text('done');
result();
`;

it.runIf(canConfine)(
  '[BND-1.5] a command that only reads is run without a request to the control plane, another after one',
  async () => {
    const bin = await mkdtemp('/var/tmp/tw-cost-');
    await chmod(bin, 0o755);
    await writeFile(path.join(bin, 'docker'), '#!/bin/sh\necho answered\n', { mode: 0o755 });
    const host = await startRunnerHost({
      agent: AGENT,
      env: { PATH: `${bin}:${process.env.PATH}` },
    });
    try {
      const attempt = await host.run({
        start: {
          isolation: 'required',
          commands: {
            allowed: ['Bash(docker ps)', 'Bash(docker restart web)'],
            denied: [],
            askFirst: [],
            secrets: [],
            values: { targets: NO_TARGETS, service: [], host: [], url: [] },
          },
        },
      });
      const ran = attempt
        .events()
        .filter((event) => event.kind === 'brokered' && event.phase === 'ended');
      expect(ran).toHaveLength(5);
      expect(host.plane.commands.map(({ argv }) => argv.join(' '))).toEqual([
        'docker restart web',
        'docker restart web',
      ]);
    } finally {
      await host.close();
      await rm(bin, { recursive: true });
    }
  },
);

it.runIf(canConfine)(
  '[BND-1.5] the bench measures what a sandbox adds to a start, and what a brokered command takes',
  async () => {
    const args = ['--import', 'tsx', 'tests/bench/confinement.bench.ts'];
    const { stdout } = await run(process.execPath, args, { cwd: root });
    const { target, figures } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(target).toBe(
      'start of a confined process under 150 ms, a brokered command under 60 ms (p50)',
    );
    expect(figures).toMatchObject({
      'what a sandbox adds to it': expect.stringMatching(/^p50 -?\d+ ms, p95 -?\d+ ms$/),
      'a command through the broker': expect.stringMatching(/^p50 \d+ ms, p95 \d+ ms$/),
    });
  },
);
