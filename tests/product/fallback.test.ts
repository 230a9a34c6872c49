import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectDocument } from '@/lib/projects/document/schema';
import { everyCli, newestCli } from '../cli/support/clis';
import { conversationOf } from '../support/messages-api/conversation';
import { callBash, type ReplyUsage, reportBack } from '../support/messages-api/reply';
import { createProject, eventsOf, runChain, sessionsOf } from '../support/system/chain-run';
import { addClaudeHost, type ClaudeHost } from '../support/system/claude-host';
import { askingForHelp, byTier, report } from '../support/system/tier-script';
import { useSharedSystem } from '../support/system/use-system';
import { changeBetweenTiers } from './support/between-tiers';
import { conversationFiles } from './support/conversation-files';
import { attemptsOf, noticesOf, startsOf } from './support/session-facts';
import { remakeWorkDirs } from './support/work-dirs';

const system = useSharedSystem();

const FINDING = { severity: 'critical' as const, message: 'Port 80 is taken by caddy.' };

/** A last request that leaves this many tokens in the conversation. */
const context = (tokens: number): ReplyUsage => ({
  inputTokens: tokens - 2_000,
  outputTokens: 1_000,
  cacheReadTokens: 1_000,
  cacheWriteTokens: 0,
});

for (const cli of everyCli()) {
  describe.skipIf(cli.problem !== null)(`going on with CLI ${cli.version}`, () => {
    let host: ClaudeHost;
    beforeAll(async () => {
      host = await addClaudeHost(system, {
        binary: cli.binary,
        name: `cli-${cli.version.replaceAll('.', '-')}`,
      });
    });
    afterAll(async () => {
      await host?.close();
    });

    /** Tier 1 leaves that much context and asks for help; tier 2 fixes it. */
    async function twoTiers(tokens: number, changes: Partial<ProjectDocument> = {}) {
      host.model.setScript(
        byTier({
          1: [reportBack(askingForHelp(), context(tokens))],
          2: [reportBack(report({ resolved: true }))],
        }),
      );
      const project = await createProject(
        system.api,
        host.project({ services: [{ name: 'web', checks: [] }], ...changes }),
      );
      const chain = await runChain(system.api, project.id);
      const [, second] = await sessionsOf(system.api, chain);
      return second;
    }

    it('[RES-7.2] [RES-7.3] [ENG-5.3] a rejected resume is followed by the handoff, once; both attempts stay', async () => {
      const project = await createProject(
        system.api,
        host.project({ services: [{ name: 'web', checks: [] }] }),
      );
      let files: string[] = [];
      const chain = await changeBetweenTiers(system, host, {
        projectId: project.id,
        script: {
          1: [callBash('docker ps'), reportBack(askingForHelp({ findings: [FINDING] }))],
          2: [reportBack(report({ resolved: true }))],
        },
        change() {
          files = conversationFiles(host.runner);
          for (const file of files) rmSync(file);
        },
      });

      expect(files.length).toBeGreaterThan(0);
      // Its service has no check that could prove a fix.
      expect(chain.outcome).toBe('healthy');
      const [first, second] = await sessionsOf(system.api, chain);
      expect(attemptsOf(second)).toEqual([
        [1, 'resume', 'resume_rejected'],
        [2, 'handoff', 'completed'],
      ]);
      expect(startsOf(second)).toEqual([
        ['resume', 'OK_RESUME'],
        ['handoff', 'RESUME_REJECTED'],
      ]);
      expect(second).toMatchObject({ mechanism: 'handoff', fallback: true });
      expect(second?.attempts[0]?.exit?.text).toContain('has no conversation');
      expect(noticesOf(await eventsOf(system.api, second?.id ?? ''))).toContain(
        'warning RESUME_REJECTED',
      );
      // The rejected one made no request, so it cost nothing; the others' costs add up.
      const perAttempt = second?.attempts.map((attempt) => attempt.costUsd) ?? [];
      expect(perAttempt[0]).toBe(0);
      expect(perAttempt[1]).toBeGreaterThan(0);
      expect(second?.costUsd).toBe(perAttempt[1]);
      expect(chain.totalCostUsd).toBeCloseTo((first?.costUsd ?? 0) + (second?.costUsd ?? 0), 9);
      const request = host.model.requests.at(-1);
      expect(request?.system).toContain('## Escalation Context');
      for (const text of ['web is down.', 'web refuses connections', FINDING.message]) {
        expect(request?.system).toContain(text);
      }
      expect(request && conversationOf(request)).toEqual([
        { role: 'user', blocks: [{ type: 'text', text: second?.attempts[1]?.prompt }] },
      ]);
    });

    it('[RES-8.2] 15,000 of 200,000 tokens are resumed; 170,000 are handed off, and it is said', async () => {
      expect(startsOf(await twoTiers(15_000))).toEqual([['resume', 'OK_RESUME']]);
      const second = await twoTiers(170_000);
      if (cli.version === '2.1.330') {
        // The chain before has shown that this model's window is 1,000,000 here.
        expect(startsOf(second)).toEqual([['resume', 'OK_RESUME']]);
        expect(second?.decision?.context).toMatchObject({
          usedTokens: 170_000,
          windowTokens: 1_000_000,
        });
        const third = await twoTiers(850_000);
        expect(startsOf(third)).toEqual([['handoff', 'CONTEXT_PRESSURE']]);
        return;
      }
      expect(startsOf(second)).toEqual([['handoff', 'CONTEXT_PRESSURE']]);
      expect(second?.decision).toMatchObject({
        threshold: 0.8,
        context: { usedTokens: 170_000, windowTokens: 200_000, thresholdSource: 'project' },
        sentence: expect.stringContaining(
          '170,000 of 200,000 tokens are in use and the limit is 80%',
        ),
      });
      expect(second?.fallback).toBe(false);
      expect(noticesOf(await eventsOf(system.api, second?.id ?? ''))).toContain(
        'warning CONTEXT_PRESSURE',
      );
    });

    // What follows is ours: the versions of the CLI have no part in it.
    if (cli.version !== newestCli()[0]?.version) return;

    it('[CNV-2.1] [RES-7.2] a tier whose work directory was created again starts from the handoff, once', async () => {
      const project = await createProject(
        system.api,
        host.project({ services: [{ name: 'web', checks: [] }] }),
      );
      const requestsBefore = host.model.requests.length;
      const chain = await changeBetweenTiers(system, host, {
        projectId: project.id,
        script: {
          1: [reportBack(askingForHelp())],
          2: [reportBack(report({ resolved: true }))],
        },
        change: () => remakeWorkDirs(host.runner),
      });

      // Its service has no check that could prove a fix.
      expect(chain.outcome).toBe('healthy');
      const [, second] = await sessionsOf(system.api, chain);
      expect(attemptsOf(second)).toEqual([
        [1, 'resume', 'work_dir_changed'],
        [2, 'handoff', 'completed'],
      ]);
      expect(startsOf(second)).toEqual([
        ['resume', 'OK_RESUME'],
        ['handoff', 'WORKDIR_CHANGED'],
      ]);
      expect(second?.attempts[0]?.exit?.text).toContain('has changed since then');
      expect(noticesOf(await eventsOf(system.api, second?.id ?? ''))).toContain(
        'warning WORK_DIR_CHANGED',
      );
      expect(host.model.requests).toHaveLength(requestsBefore + 2);
    });

    it('[RES-8.3] CLAUDEOPS_RESUME_CONTEXT_THRESHOLD=0.70 is obeyed, and shown with each decision', async () => {
      const tiers = host.project().tiers?.map((tier) => ({ ...tier, contextWindow: 200_000 }));
      const before = await twoTiers(150_000, { ...(tiers ? { tiers } : {}) });
      expect(startsOf(before)).toEqual([['resume', 'OK_RESUME']]);
      expect(before?.decision).toMatchObject({ threshold: 0.8 });

      await restartControlPlane({ CLAUDEOPS_RESUME_CONTEXT_THRESHOLD: '0.70' });
      const after = await twoTiers(150_000, { ...(tiers ? { tiers } : {}) }).finally(() =>
        restartControlPlane({}),
      );
      expect(startsOf(after)).toEqual([['handoff', 'CONTEXT_PRESSURE']]);
      expect(after?.decision).toMatchObject({
        threshold: 0.7,
        context: { usedTokens: 150_000, thresholdSource: 'installation' },
        sentence: expect.stringContaining('the limit is 70%'),
      });
    });
  });
}

async function restartControlPlane(settings: Record<string, string>): Promise<void> {
  for (const process of [system.web, system.worker]) {
    await process.end('SIGKILL');
    process.start(settings);
  }
  await system.webAnswers();
}
