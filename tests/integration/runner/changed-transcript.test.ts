/** The runner resumes the transcript that the process before wrote, byte for byte, and no other. */
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StartSpec, Transcript } from '@/lib/protocol/spec';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';
import { filesBelow } from '../../support/files-below';

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
  const result = attempt.results[0];
  if (command?.kind !== 'command' || !result) throw new Error('Nothing was reported.');
  return { command, result, cliSessionId: attempt.spec.start.cliSessionId };
}

/** A conversation that was held, and the file that it left. */
async function held() {
  const { command, result, cliSessionId } = await run({ mode: 'fresh' });
  const file = filesBelow(path.join(command.configDir, 'projects')).find((name) =>
    name.endsWith(`${cliSessionId}.jsonl`),
  );
  if (!file || !result.transcript) throw new Error('No transcript was kept.');
  return { file, cliSessionId, transcript: result.transcript };
}

const resume = (parentCliSessionId: string, transcript: Transcript | null) =>
  run({ mode: 'resume', parentCliSessionId, workDirInode: null, transcript });

it('[ENG-2.3] reports size and hash at the end, and says that it compared them', async () => {
  const { file, cliSessionId, transcript } = await held();
  expect(transcript.bytes).toBe((await readFile(file)).length);
  const { command, result } = await resume(cliSessionId, transcript);
  expect(result).toMatchObject({ startError: null, exit: { code: 0 } });
  expect(command.verified).toEqual(['transcript']);
});

it.each<[string, (file: string) => Promise<void>]>([
  ['a line longer', (file) => appendFile(file, '{"forged":true}\n')],
  ['of the same size with other words', (file) => writeFile(file, '[]\n')],
])('[ENG-2.3] starts nothing where the transcript is %s', async (_what, change) => {
  const { file, cliSessionId, transcript } = await held();
  await change(file);
  const { command, result } = await resume(cliSessionId, transcript);
  expect(result).toMatchObject({
    startError: { code: 'transcript_changed', message: expect.stringContaining(transcript.sha256) },
    startedAt: null,
  });
  expect(command.verified).toEqual([]);
});

it('[ENG-2.3] leaves a transcript that is gone to the CLI, and compares nothing that it was not given', async () => {
  const { file, cliSessionId, transcript } = await held();
  expect((await resume(cliSessionId, null)).command.verified).toEqual([]);
  await rm(file);
  const { command, result } = await resume(cliSessionId, transcript);
  expect(result.startError).toBeNull();
  expect(command.verified).toEqual([]);
});
