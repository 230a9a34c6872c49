/** What a conversation leaves on a host once it has moved on. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StartSpec } from '@/lib/protocol/spec';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';
import { filesBelow } from '../../support/files-below';

let host: RunnerHost;
beforeEach(async () => {
  host = await startRunnerHost({ agent: 'init(); transcript(); result();' });
});
afterEach(async () => {
  await host.close();
});

/** @returns the file of the conversation that it held */
async function turn(parent: string | null): Promise<{ id: string; file: string }> {
  const cliSessionId = randomUUID();
  const continuation: StartSpec['continuation'] =
    parent === null ? { mode: 'fresh' } : { mode: 'resume', parentCliSessionId: parent };
  await host.run({
    organizationId: 'org_one',
    projectId: 'prj_one',
    start: { cliSessionId, continuation },
  });
  const found = filesBelow(path.join(host.runnerDir, 'projects'));
  const file = found.find((each) => each.endsWith(`${cliSessionId}.jsonl`));
  if (!file) throw new Error('It has kept nothing.');
  return { id: cliSessionId, file };
}

it('a conversation that was forked goes once the control plane has no use for it', async () => {
  const first = await turn(null);
  host.plane.superseded = [first.id];
  const second = await turn(first.id);
  await host.plane.until(() => !existsSync(first.file), 'the end of the first file');
  expect(existsSync(second.file)).toBe(true);
});

it('with a control plane that does not know the question everything stays', async () => {
  host.plane.superseded = null;
  const first = await turn(null);
  const second = await turn(first.id);
  const third = await turn(second.id);
  expect([first, second, third].map(({ file }) => existsSync(file))).toEqual([true, true, true]);
});
