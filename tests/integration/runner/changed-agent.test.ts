/** The runner starts the agent that a decision was made for, and no other that took its place. */
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StartSpec } from '@/lib/protocol/spec';
import { agentScript } from '../../support/fake-control-plane/agent-script';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';

let host: RunnerHost;
beforeEach(async () => {
  host = await startRunnerHost({
    agent: 'init(); transcript(); result();',
    env: { ANTHROPIC_API_KEY: 'sk-ant-of-a-test' },
  });
});
afterEach(async () => {
  await host.close();
});

async function run(agent: StartSpec['agent']) {
  const attempt = await host.run({ start: { agent } });
  const command = attempt.events().find((event) => event.kind === 'command');
  if (command?.kind !== 'command') throw new Error('Nothing was to be started.');
  return { command, result: attempt.results[0] };
}

/** What the runner reports of its agent. */
async function evaluated() {
  const { command } = await run(null);
  expect(command.verified).toEqual([]);
  return { fingerprint: command.fingerprint ?? null, account: command.account ?? null };
}

it('[ENG-2.5] starts the agent that was evaluated, and says that it compared it', async () => {
  const agent = await evaluated();
  expect(agent.account).toMatch(/^[0-9a-f]{16}$/);
  const { command, result } = await run(agent);
  expect(result).toMatchObject({ startError: null, exit: { code: 0 } });
  expect(command.verified).toEqual(['agent']);
});

it('[ENG-2.5] probes a program that was replaced before it starts it, and does not', async () => {
  const agent = await evaluated();
  const file = await agentScript(path.dirname(host.runnerDir), 'init(); result({ more: 1 });');
  await utimes(file, new Date(), new Date(Date.now() + 5_000));
  const { result } = await run(agent);
  expect(result).toMatchObject({ startError: { code: 'agent_changed' }, startedAt: null });
  // What the next report says is started.
  expect((await run(await evaluated())).result).toMatchObject({ startError: null });
});

it('[ENG-2.4] does not start under another account of the provider', async () => {
  const { fingerprint } = await evaluated();
  const { result } = await run({ fingerprint, account: '0000000000000000' });
  expect(result?.startError).toMatchObject({
    code: 'agent_changed',
    message: expect.stringContaining('account'),
  });
});
