import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ChainDetail } from '@/lib/insight/chains/schema';
import {
  type SessionDetail,
  type SessionEventDto,
  sessionItemSchema,
} from '@/lib/insight/sessions/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import type { RecordedRequest } from '../support/messages-api/recorded-request';
import { callBash, reportBack } from '../support/messages-api/reply';
import { createProject, eventsOf, runChain, sessionsOf } from '../support/system/chain-run';
import { addClaudeHost, type ClaudeHost } from '../support/system/claude-host';
import { tokensByModel } from '../support/system/ledger-tokens';
import { askingForHelp, byTier, report, tierOf } from '../support/system/tier-script';
import { useSharedSystem } from '../support/system/use-system';
import { expectContinued } from './support/continued';
import { pricedTiers } from './support/priced-tiers';

const RESTART = 'docker restart web';
const PLAYBOOK = 'ansible-playbook site.yml';

const system = useSharedSystem();

for (const cli of inject('clis')) {
  describe.skipIf(cli.problem !== null)(`a chain of three tiers with CLI ${cli.version}`, () => {
    const isPerProcess = cli.version === '2.1.197';
    let host: ClaudeHost;
    let chain: ChainDetail;
    let sessions: SessionDetail[];
    let events: SessionEventDto[][];

    beforeAll(async () => {
      host = await addClaudeHost(system, {
        binary: cli.binary,
        name: `cli-${cli.version.replaceAll('.', '-')}`,
      });
      host.service.addProgram('docker');
      host.service.addProgram('ansible-playbook', { repairs: true });
      const { tier1, tier2, tier3 } = pricedTiers(cli.version);
      const restarted = {
        service: 'web',
        action: 'restart',
        command: RESTART,
        outcome: 'still down',
      } as const;
      const redeployed = {
        service: 'web',
        action: 'other',
        command: PLAYBOOK,
        outcome: 'up',
      } as const;
      host.model.setScript(
        byTier({
          1: [callBash(RESTART, tier1[0]), reportBack(askingForHelp(), tier1[1])],
          2: [
            callBash(RESTART, tier2[0]),
            callBash(PLAYBOOK, tier2[1]),
            reportBack(askingForHelp({ actions_taken: [restarted], resolved: false }), tier2[2]),
          ],
          3: [
            callBash(PLAYBOOK, tier3[0]),
            reportBack(report({ actions_taken: [redeployed], resolved: true }), tier3[1]),
          ],
        }),
      );
      const project = await createProject(system.api, host.project());
      chain = await runChain(system.api, project.id);
      sessions = await sessionsOf(system.api, chain);
      events = await Promise.all(sessions.map(({ id }) => eventsOf(system.api, id)));
    });
    afterAll(async () => {
      await host?.close();
    });

    const requestsOf = (tier: number): RecordedRequest[] =>
      host.model.requests.filter((request) => tierOf(request) === tier);
    const argvOf = (tier: number) => sessions[tier - 1]?.attempts[0]?.argv ?? [];
    const flagOf = (tier: number, flag: string) => argvOf(tier)[argvOf(tier).indexOf(flag) + 1];

    it('[RES-2.1] [RES-2.2] escalates by resume, tier by tier, until it is fixed', () => {
      expect(chain).toMatchObject({ status: 'ended', outcome: 'fixed', highestTier: 3 });
      expect(
        sessions.map(({ tier, mechanism, status, fallback }) => [
          tier,
          mechanism,
          status,
          fallback,
        ]),
      ).toEqual([
        [1, 'fresh', 'escalated', false],
        [2, 'resume', 'escalated', false],
        [3, 'resume', 'completed', false],
      ]);
      expect(sessions.map((session) => session.attempts.length)).toEqual([1, 1, 1]);
      expect(argvOf(1)).not.toContain('--resume');
      expect(flagOf(2, '--resume')).toBe(sessions[0]?.cliSessionId);
      expect(flagOf(3, '--resume')).toBe(sessions[1]?.cliSessionId);
      expect(argvOf(3)).toContain('--fork-session');
      expect(sessions.map((session) => session.parentSessionId)).toEqual([
        null,
        sessions[0]?.id,
        sessions[1]?.id,
      ]);
    });

    it('[RES-5.1] [RES-5.2] shows $0.03, $0.47 and $2.00 per tier, and $2.50', () => {
      expect(sessions.map((session) => session.costUsd)).toEqual([0.03, 0.47, 2]);
      expect(chain.costByTier).toEqual([
        { tier: 1, costUsd: 0.03 },
        { tier: 2, costUsd: 0.47 },
        { tier: 3, costUsd: 2 },
      ]);
      expect(chain.totalCostUsd).toBe(2.5);
      expect(sessions.map((session) => session.isCostEstimated)).toEqual([false, false, false]);
    });

    it('[RES-5.3] keeps what the CLI itself said, which is a total on the newer one', () => {
      const said = events.map(
        (list) => list.findLast((event) => event.kind === 'result')?.payload.totalCostUsd,
      );
      const expected = isPerProcess ? [0.03, 0.47, 2] : [0.03, 0.5, 2.5];
      for (const [index, costUsd] of expected.entries()) {
        expect(said[index], `tier ${index + 1}`).toBeCloseTo(costUsd, 6);
      }
    });

    it('[RES-5.3] [RES-5.4] books exactly the tokens that the API counted', () => {
      expect(tokensByModel(sessions)).toEqual(host.model.reportedTokens());
    });

    it("[RES-2.2] [RES-2.4] tier 3's request is what tiers 1 and 2 were told and said, verbatim, and one prompt", () => {
      const [one, two, three] = [requestsOf(1), requestsOf(2), requestsOf(3)];
      const prompts = sessions.map((session) => session.attempts[0]?.prompt ?? '');
      expectContinued(one.at(-1), two[0], prompts[1] ?? '');
      expectContinued(two.at(-1), three[0], prompts[2] ?? '');
      const told = JSON.stringify(three[0]?.body.messages);
      for (const prompt of prompts) expect(told).toContain(JSON.stringify(prompt).slice(1, -1));
      // The output of the command that tier 2 ran.
      expect(told).toContain(`ran docker restart web`);
    });

    it('[RES-2.3] [RES-7.1] carries no handoff and no order to write one', () => {
      for (const tier of [2, 3]) {
        const request = requestsOf(tier)[0];
        expect(request?.system).not.toContain('Escalation Context');
        expect(JSON.stringify(request?.body)).not.toContain('handoff.json');
      }
    });

    it('[RES-1.1] [RES-1.2] stores the CLI session id that the process confirmed, to be found by it', async () => {
      const ids = sessions.map((session) => session.cliSessionId ?? '');
      expect(new Set(ids).size).toBe(3);
      for (const [index, id] of ids.entries()) {
        const init = events[index]?.find((event) => event.kind === 'init');
        expect(init?.payload.cliSessionId).toBe(id);
        expect(flagOf(index + 1, '--session-id')).toBe(id);
        expect(requestsOf(index + 1)[0]?.headers['x-claude-code-session-id']).toBe(id);
      }
      const { data } = await system.api.get('sessions', pageSchema(sessionItemSchema));
      const found = ids.map((id) => data.find(({ cliSessionId }) => cliSessionId === id)?.id);
      expect(found).toEqual(sessions.map(({ id }) => id));
    });

    it('[RES-6.1] stores the exact command, with the tools of that tier in every start', () => {
      const tiers = [1, 2, 3];
      expect(tiers.map((tier) => argvOf(tier)[0])).toEqual([cli.binary, cli.binary, cli.binary]);
      expect(tiers.map((tier) => flagOf(tier, '--model'))).toEqual(['haiku', 'sonnet', 'opus']);
      const rulesOf = (tier: number): { allow: string[]; deny: string[] } =>
        JSON.parse(flagOf(tier, '--settings') ?? '').permissions;
      const allowed = tiers.map((tier) => rulesOf(tier).allow);
      const refused = tiers.map((tier) => rulesOf(tier).deny);
      expect(allowed.map((rules) => rules?.includes(`Bash(${RESTART})`))).toEqual([
        ...[false, true, true],
      ]);
      expect(refused.map((rules) => rules?.includes('Bash(docker restart:*)'))).toEqual([
        ...[true, false, false],
      ]);
      expect(tiers.map((tier) => flagOf(tier, '--tools'))).toEqual([
        expect.not.stringContaining('Write'),
        expect.stringContaining('Write'),
        expect.stringContaining('Write'),
      ]);
      expect(requestsOf(1)[0]?.tools).not.toContain('Write');
      expect(requestsOf(2)[0]?.tools).toContain('Write');
    });

    it('[RES-6.2] a tool denied in tier 1 runs in tier 2, and one denied in tier 2 does not', () => {
      expect(outcomes(events[0] ?? [])).toEqual([[RESTART, 'denied']]);
      expect(outcomes(events[1] ?? [])).toEqual([
        [RESTART, 'ran docker restart web'],
        [PLAYBOOK, 'denied'],
      ]);
      expect(outcomes(events[2] ?? [])).toEqual([[PLAYBOOK, 'ran ansible-playbook site.yml']]);
      expect(host.service.runsOf('docker')).toBe(1);
      expect(host.service.runsOf('ansible-playbook')).toBe(1);
    });
  });
}

/** Every command that the agent called, with its outcome. */
function outcomes(events: SessionEventDto[]): [unknown, unknown][] {
  return events.flatMap(({ kind, payload }) => {
    if (kind !== 'tool_call' || payload.tool !== 'Bash') return [];
    const result = events.find(
      (event) => event.kind === 'tool_result' && event.payload.toolUseId === payload.toolUseId,
    )?.payload;
    const input = payload.input as { command: string };
    const outcome: [unknown, unknown] = [
      input.command,
      result?.denied ? 'denied' : String(result?.content).trim(),
    ];
    return [outcome];
  });
}
