/** A conversation is resumed in the folder in which it was held, and in no other of its path. */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StartSpec } from '@/lib/protocol/spec';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';

let host: RunnerHost;
beforeEach(async () => {
  host = await startRunnerHost({ agent: 'init(); transcript(); result();' });
});
afterEach(async () => {
  await host.close();
});

const project = { organizationId: 'org_one', projectId: 'prj_one' };

async function run(continuation: StartSpec['continuation']) {
  const attempt = await host.run({ ...project, start: { continuation } });
  const command = attempt.events().find((event) => event.kind === 'command');
  if (command?.kind !== 'command') throw new Error('Nothing was to be started.');
  return { command, result: attempt.results[0], events: attempt.events() };
}

const resumeIn = (workDirInode: string | null) =>
  run({ mode: 'resume', parentCliSessionId: randomUUID(), workDirInode });

it.each<[string, (dir: string) => Promise<void>]>([
  [
    'was deleted and created again',
    async (dir) => {
      await rm(dir, { recursive: true });
      await mkdir(dir);
    },
  ],
  [
    'was moved away and another stands there',
    async (dir) => {
      await rename(dir, `${dir}-old`);
      await mkdir(dir);
    },
  ],
  ['is gone', (dir) => rm(dir, { recursive: true })],
])('[CNV-2.1] starts nothing where the work directory %s', async (_what, replace) => {
  const { command } = await run({ mode: 'fresh' });
  await replace(command.workDir);
  const { result, events } = await resumeIn(command.workDirInode);
  expect(result).toMatchObject({
    startError: { code: 'work_dir_changed', message: expect.stringContaining(command.workDir) },
    startedAt: null,
    exit: null,
  });
  expect(events).toMatchObject([{ kind: 'command' }]);
});

it.each<[string, (inode: string) => string | null]>([
  ['the folder is the same', (inode) => inode],
  ['the control plane knows only device and inode', (inode) => inode.split(':', 2).join(':')],
  ['the control plane does not know it', () => null],
])('[CNV-2.1] resumes where %s', async (_what, known) => {
  const { command } = await run({ mode: 'fresh' });
  const { result } = await resumeIn(known(command.workDirInode));
  expect(result).toMatchObject({ startError: null, exit: { code: 0 } });
});

it('[CNV-2.1] a start without a conversation before it begins in whatever folder is there', async () => {
  const { command } = await run({ mode: 'fresh' });
  await rm(command.workDir, { recursive: true });
  expect((await run({ mode: 'transcript' })).result).toMatchObject({ startError: null });
});
