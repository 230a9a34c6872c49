/**
 * A conversation that moves between two hosts of a pool, each reached by another door, with the real
 * CLI on both: what the model is given on the second host is what it was given on the first.
 */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runnerDtoSchema } from '@/lib/fleet/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import { everyCli, newestCli } from '../cli/support/clis';
import { conversationOf as toldOf } from '../support/messages-api/conversation';
import type { RecordedRequest } from '../support/messages-api/recorded-request';
import { callBash, type Reply, reportBack, say } from '../support/messages-api/reply';
import { createProject, endedChain, sessionsOf, startChain } from '../support/system/chain-run';
import { addClaudeHost, type ClaudeHost } from '../support/system/claude-host';
import type { RunnerProcess } from '../support/system/runner';
import { askingForHelp, byTier, report } from '../support/system/tier-script';
import { useSharedSystem } from '../support/system/use-system';
import { processesOf, startConversation } from './support/asking';
import { conversationFiles } from './support/conversation-files';
import { addDoorRunner } from './support/door-runner';
import { attemptsOf, startsOf } from './support/session-facts';

const system = useSharedSystem();

/** What both hosts have in common, so that they are the same agent with the same account. */
const environment = (host: ClaudeHost, binary: string) => ({
  CLAUDE_BIN: binary,
  ANTHROPIC_BASE_URL: host.model.url,
  ANTHROPIC_API_KEY: 'key-of-the-runner',
  PATH: `${host.service.binDir}:${process.env.PATH ?? ''}`,
});

async function setDraining(name: string, isDraining: boolean): Promise<void> {
  const { data } = await system.api.get('runners', pageSchema(runnerDtoSchema));
  const drain = `runners/${data.find((runner) => runner.name === name)?.id}/drain`;
  if (isDraining) await system.api.post(drain, {}, runnerDtoSchema);
  else await system.api.send('DELETE', drain);
}

/** The messages of a request, which the second one has to begin with. */
function expectSameHistory(
  before: RecordedRequest | undefined,
  after: RecordedRequest | undefined,
): void {
  const told = before ? toldOf(before) : [];
  expect(told.length).toBeGreaterThan(0);
  expect(after ? toldOf(after).slice(0, told.length) : []).toEqual(told);
}

for (const cli of everyCli()) {
  describe.skipIf(cli.problem !== null)(`two hosts with CLI ${cli.version}`, () => {
    const name = `moved-${cli.version.replaceAll('.', '-')}`;
    const otherName = `${name}-b`;
    let host: ClaudeHost;
    let other: RunnerProcess;
    let project: string;
    beforeAll(async () => {
      host = await addClaudeHost(system, { binary: cli.binary, name });
      const env = environment(host, cli.binary);
      other = await addDoorRunner(system, { name: otherName, pool: name, env });
      project = (
        await createProject(system.api, host.project({ services: [{ name: 'web', checks: [] }] }))
      ).id;
    });
    afterAll(async () => {
      await other?.end();
      await host?.close();
    });

    /** Runs a chain whose tier 1 is on the first host, which is drained before tier 2 starts. */
    async function escalate(replies: Reply[]) {
      await setDraining(otherName, true);
      const script = byTier({ 1: replies, 2: [reportBack(report({ resolved: true }))] });
      let isDrained = false;
      host.model.setScript(async (request) => {
        if (!isDrained) {
          await setDraining(otherName, false);
          await setDraining(name, true);
        }
        isDrained = true;
        return script(request);
      });
      const { id } = await startChain(system.api, project);
      const chain = await endedChain(system.api, id);
      await setDraining(name, false);
      return { chain, sessions: await sessionsOf(system.api, chain) };
    }

    it('[FLT-4.2] [FLT-4.1] tier 2 resumes on another host, with the same messages, and so does a turn', async () => {
      const { chain, sessions } = await escalate([
        callBash('docker ps'),
        reportBack(askingForHelp({ summary: 'Port 80 is taken by caddy.' })),
      ]);
      const [first, second] = sessions;
      // Its service has no check that could prove a fix.
      expect(chain.outcome).toBe('healthy');
      expect(first?.attempts[0]?.runner?.name).toBe(name);
      expect(second?.attempts[0]?.runner?.name).toBe(otherName);
      expect(attemptsOf(second)).toEqual([[1, 'resume', 'completed']]);
      expect(startsOf(second)).toEqual([['resume', 'OK_RESUME']]);
      expect(second?.decision?.sentence).toContain(`moved from ${name} to ${otherName}`);
      const [, last, moved] = host.model.requests;
      expectSameHistory(last, moved);
      // The second host held only the copy, which its own conversation contains.
      const parent = path.basename(`${first?.cliSessionId}.jsonl`);
      const kept = conversationFiles(other).map((file) => path.basename(file));
      expect(kept).toContain(`${second?.cliSessionId}.jsonl`);
      expect(kept).not.toContain(parent);

      // Back to the first host: a turn continues the conversation of tier 2.
      await setDraining(otherName, true);
      host.model.setScript([say('caddy is stopped.')]);
      const conversation = await startConversation(system.api, {
        chain: chain.id,
        message: 'Is port 80 free now?',
      });
      const turn = await conversation.ended();
      expect(turn).toMatchObject({ status: 'completed', answer: 'caddy is stopped.' });
      const [started] = await processesOf(system.api, turn);
      expect(started?.resumed).toBe(second?.cliSessionId);
      expect(turn.start?.sentence).toContain(`moved from ${otherName} to ${name}`);
      expectSameHistory(moved, host.model.requests[3]);
    });

    // What follows is ours: the versions of the CLI have no part in it.
    if (cli.version !== newestCli()[0]?.version) return;

    it('[FLT-4.1] [FLT-4.2] a conversation with a secret stays on its host, and the next tier starts from the handoff', async () => {
      const { sessions } = await escalate([
        callBash('echo DB_PASSWORD=hunter2-of-the-shop'),
        reportBack(askingForHelp()),
      ]);
      const [, second] = sessions;
      expect(startsOf(second)).toEqual([['handoff', 'SEAL_REFUSED']]);
      expect(second?.attempts[0]?.runner?.name).toBe(otherName);
    });
  });
}
