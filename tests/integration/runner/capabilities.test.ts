/** What a runner says of its host with every heartbeat. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { canResumeOf } from '@/lib/fleet/capabilities';
import { probedProgram } from '../../support/fake-control-plane/probed-program';
import { startRunnerHost } from '../../support/fake-control-plane/runner-host';

async function capabilitiesWith(help: string) {
  const dir = await mkdtemp(path.join(tmpdir(), 'tw-probe-'));
  const host = await startRunnerHost({ claudeBin: await probedProgram(dir, help) });
  try {
    await host.plane.until(() => host.plane.heartbeats.length > 0, 'a heartbeat');
    return host.plane.heartbeats[0]?.capabilities;
  } finally {
    await host.close();
    await rm(dir, { recursive: true, force: true });
  }
}

it.each([
  ['  -r, --resume [value]  Resume\n  --fork-session  When resuming, create a new id', true],
  ['  -r, --resume [value]  Resume', false],
  ['  --resume-session-at <id>\n  --fork-session', false],
  ['', false],
])('[CNV-2.1] a program whose help is %j can continue a conversation: %s', async (help, can) => {
  const capabilities = await capabilitiesWith(help);
  expect(capabilities?.harnesses.find(({ name }) => name === 'claude')).toMatchObject({
    isUsable: false,
    canResume: can,
  });
  expect(canResumeOf(capabilities, 'claude')).toBe(can);
  expect(canResumeOf(capabilities, 'demo')).toBe(true);
});

it('[CNV-2.1] a runner that does not say so can', async () => {
  const capabilities = await capabilitiesWith('--resume');
  for (const harness of capabilities?.harnesses ?? []) delete harness.canResume;
  expect(canResumeOf(capabilities, 'claude')).toBe(true);
  expect(canResumeOf(null, 'claude')).toBe(true);
});
