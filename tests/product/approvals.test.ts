/**
 * Approvals in the whole product: both real CLIs in their sandbox, a scripted model, and programs that
 * write down what they were run with as the only judge of what ran.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApprovalDto, approvalDtoSchema } from '@/lib/insight/approvals/schema';
import type { ChainDetail } from '@/lib/insight/chains/schema';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { pageSchema } from '@/lib/platform/http/cursor';
import { DEFAULT_APPROVALS } from '@/lib/projects/approval-settings';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import type { ProjectDocument } from '@/lib/projects/document/schema';
import { eventually } from '../bootstrap/eventually';
import { everyCli, newestCli } from '../cli/support/clis';
import { joined } from '../integration/members/people';
import { canConfine } from '../support/confinement';
import { callBash, inOneMessage, reportBack } from '../support/messages-api/reply';
import { accountOf } from '../support/system/account';
import { type ApiClient, apiClient } from '../support/system/api-client';
import {
  chainWhere,
  createProject,
  endedChain,
  eventsOf,
  sessionsOf,
  startChain,
} from '../support/system/chain-run';
import { addClaudeHost, type ClaudeHost } from '../support/system/claude-host';
import { askingForHelp, byTier, report } from '../support/system/tier-script';
import { useSharedSystem } from '../support/system/use-system';

const RESTART = 'docker restart web';
const [ONE, TWO, THREE] = DEFAULT_TIERS;

const system = useSharedSystem();
/** Of somebody who hasn't started the chains. */
let colleague: ApiClient;
let colleagueToken: string;

beforeAll(async () => {
  const { email, scope } = await joined(system.account.scope, 'admin');
  colleagueToken = (await accountOf(email, scope.organizationSlug)).token;
  colleague = apiClient(system.url, colleagueToken);
});

const inParallel = (...commands: string[]) =>
  inOneMessage(commands.map((command) => callBash(command)));

function projectOf(host: ClaudeHost, holdSeconds: number): ProjectDocument {
  return host.project({
    isolation: 'confined',
    tiers: [
      { ...ONE, prompt: null, isEnabled: true },
      {
        ...TWO,
        prompt: null,
        isEnabled: true,
        allowedTools: ['Bash(docker ps)', 'Bash(docker start web)'],
        askFirstTools: ['Bash(docker restart web)'],
      },
      { ...THREE, prompt: null, isEnabled: false },
    ],
    maxTier: 2,
    cooldowns: [],
    approvals: { ...DEFAULT_APPROVALS, onRefusal: 'resume', holdSeconds },
  });
}

const run = promisify(execFile);

/** The command line, as the colleague. */
function tierwatch(...args: string[]) {
  const env = { ...process.env, TIERWATCH_URL: system.url, TIERWATCH_TOKEN: colleagueToken };
  return run(process.execPath, [path.resolve('dist/tierwatch.mjs'), ...args], { env });
}

const isWaiting = ({ waitReason }: ChainDetail) => waitReason === 'approval';

for (const cli of everyCli()) {
  describe.skipIf(cli.problem !== null || !canConfine)(`approvals with CLI ${cli.version}`, () => {
    let host: ClaudeHost;

    beforeAll(async () => {
      const name = `approving-${cli.version.replaceAll('.', '-')}`;
      host = await addClaudeHost(system, { binary: cli.binary, name });
      host.service.addProgram('docker', { repairs: true });
    });
    afterAll(() => host?.close());

    const outcomesOf = async (sessionId: string) =>
      (await eventsOf(system.api, sessionId)).flatMap(({ kind, payload }) => {
        if (kind !== 'brokered' || payload.phase === 'started') return [];
        const argv = (payload.argv as string[]).join(' ');
        // The CLI itself asks git about its settings.
        if (!argv.startsWith('docker ')) return [];
        return [[argv, payload.phase, (payload.refusal as { code: string } | null)?.code ?? null]];
      });

    it('[BND-4.2] [BND-4.4] [BND-4.5] a long wait ends the process; an approval an hour later continues the conversation, and exactly that command runs, once', async () => {
      host.service.breakAgain();
      host.model.setScript(
        byTier({
          1: [reportBack(askingForHelp())],
          2: [
            // The CLI runs calls that aren't read-only one after the other: what waits comes last.
            inParallel(
              'docker ps',
              'docker stop web',
              `docker start web | ${RESTART} | wc -c`,
              'docker ps',
            ),
            // After the approval: the approved command, and that again.
            callBash(`${RESTART} && echo restarted`),
            callBash(RESTART),
            // After the refusal.
            callBash(RESTART),
            reportBack(report({ resolved: true })),
          ],
        }),
      );
      const before = host.service.runsOf('docker');
      const project = await createProject(system.api, projectOf(host, 0));
      const { id } = await startChain(system.api, project.id);
      const first = await waitingApproval(id);
      expect(first).toMatchObject({
        kind: 'command',
        argv: RESTART.split(' '),
        cwd: '/project',
        services: ['web'],
        rule: 'Bash(docker restart web)',
        requester: system.account.email,
        forbidden: expect.stringContaining('You started this chain'),
      });
      // Of the parallel calls and of the pipeline one waits; the others were decided alone.
      expect(host.service.runsOf('docker') - before).toBe(2);
      const requests = host.model.requests.length;

      await moveClock(-3_600);
      const body = { verdict: 'approve', digest: first.digest, note: 'Go ahead.' };
      const decision = `approvals/${first.id}/decision`;
      await expect(system.api.post(decision, body, approvalDtoSchema)).rejects.toThrow(/403/);
      expect(host.model.requests.length).toBe(requests);
      await colleague.post(decision, body, approvalDtoSchema);

      const second = await waitingApproval(id);
      expect(second.id).not.toBe(first.id);
      expect(host.service.runsOf('docker') - before).toBe(3);
      await tierwatch(
        'approval',
        'refuse',
        second.id,
        '--digest',
        second.digest,
        '--note',
        'Once is enough.',
      );

      const chain = await endedChain(system.api, id);
      expect(chain.outcome).toBe('fixed');
      expect(host.service.runsOf('docker') - before).toBe(3);
      const [, two] = await sessionsOf(system.api, chain);
      expect(two?.attempts.map(({ exit }) => exit?.kind)).toEqual([
        'waiting_for_approval',
        'waiting_for_approval',
        'completed',
      ]);
      expect(await outcomesOf(two?.id ?? '')).toEqual([
        ['docker ps', 'ended', null],
        ['docker stop web', 'refused', 'argument_not_allowed'],
        ['docker start web', 'ended', null],
        [RESTART, 'refused', 'approval_pending'],
        [RESTART, 'ended', null],
        [RESTART, 'refused', 'approval_pending'],
        [RESTART, 'refused', 'approval_refused'],
      ]);
      const prompts = two?.attempts.map(({ prompt }) => prompt ?? '') ?? [];
      expect(prompts[1]).toContain(
        `- Approved: \`${RESTART}\` in /project. They wrote: "Go ahead."`,
      );
      expect(prompts[1]).toContain('- `docker ps`: executed, exit code 0.');
      expect(prompts[1]).toContain('- `docker stop web`: never executed (argument_not_allowed).');
      expect(prompts[2]).toContain(`- Refused, and not run: \`${RESTART}\` in /project.`);
    });

    /** The one that a chain waits for without a process. */
    async function waitingApproval(chainId: string): Promise<ApprovalDto> {
      await chainWhere(system.api, chainId, 'waits for approval', isWaiting);
      return pendingApproval(chainId);
    }

    async function pendingApproval(chainId: string): Promise<ApprovalDto> {
      let found: ApprovalDto[] = [];
      const query = `approvals?status=pending&chain=${chainId}`;
      await eventually(
        'an approval is requested',
        async () => {
          found = (await system.api.get(query, pageSchema(approvalDtoSchema))).data;
          return found.length > 0;
        },
        60_000,
      );
      const [one, ...others] = found;
      if (!one || others.length > 0) throw new Error('There is not exactly one approval.');
      return one;
    }

    async function moveClock(seconds: number): Promise<void> {
      const moved = (at: Date | null) => at && new Date(at.getTime() + seconds * 1_000);
      await inTransaction(system.account.scope, async (db) => {
        for (const row of await db.approval.findMany({ where: { status: 'pending' } })) {
          await db.approval.updateMany({
            where: { id: row.id },
            data: {
              requestedAt: new Date(row.requestedAt.getTime() + seconds * 1_000),
              heldUntil: moved(row.heldUntil),
              expiresAt: new Date(row.expiresAt.getTime() + seconds * 1_000),
            },
          });
        }
        for (const row of await db.pointer.findMany({})) {
          await db.pointer.updateMany({
            where: { id: row.id },
            data: { createdAt: new Date(row.createdAt.getTime() + seconds * 1_000) },
          });
        }
      });
    }

    // What follows is ours: the versions of the CLI have no part in it.
    if (cli.version !== newestCli()[0]?.version) return;

    it('[BND-4.2] a short wait holds the command, and the process continues with its answer', async () => {
      host.service.breakAgain();
      host.model.setScript(
        byTier({
          1: [reportBack(askingForHelp())],
          2: [callBash(RESTART), reportBack(report({ resolved: true }))],
        }),
      );
      const before = host.service.runsOf('docker');
      const project = await createProject(system.api, projectOf(host, 90));
      const { id } = await startChain(system.api, project.id);
      const { digest, ...held } = await pendingApproval(id);
      expect(host.service.runsOf('docker')).toBe(before);
      await colleague.post(
        `approvals/${held.id}/decision`,
        { verdict: 'approve', digest },
        approvalDtoSchema,
      );
      const chain = await endedChain(system.api, id);
      expect(chain.outcome).toBe('fixed');
      expect(host.service.runsOf('docker') - before).toBe(1);
      const [, two] = await sessionsOf(system.api, chain);
      expect(two?.attempts).toHaveLength(1);
    });
  });
}
