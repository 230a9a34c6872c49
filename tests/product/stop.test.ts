import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { chainDetailSchema } from '@/lib/chains/view/schema';
import { eventually } from '../bootstrap/eventually';
import { processesWith } from '../support/fake-control-plane/processes';
import { callBash, hang } from '../support/messages-api/reply';
import { createProject, endedChain, sessionsOf, startChain } from '../support/system/chain-run';
import { addClaudeHost, type ClaudeHost } from '../support/system/claude-host';
import { tokensByModel } from '../support/system/ledger-tokens';
import { useSystem } from '../support/system/use-system';

const system = useSystem();

for (const cli of inject('clis')) {
  describe.skipIf(cli.problem !== null)(`a stop with CLI ${cli.version}`, () => {
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

    it('[SAS-3.2] [RES-5.4] ends everything that a tool call has started, and keeps the cost', async () => {
      const seconds = String(9_990_000 + Math.floor(Math.random() * 9_999));
      const sleep = `sleep ${seconds}`;
      host.model.setScript([
        // Its shell ends at once, so the CLI itself cannot find these any more.
        callBash(`setsid sh -c '${sleep} & ${sleep}' &`),
        callBash(sleep),
        hang(),
      ]);
      const project = await createProject(
        system.api,
        host.project({ services: [], tiers: [{ tier: 1, allowedTools: ['Bash'] }], maxTier: 1 }),
      );
      const { id } = await startChain(system.api, project.id);
      await eventually('the commands run', () => processesWith(sleep).length >= 3, 60_000);

      await system.api.post(`chains/${id}/stop`, {}, chainDetailSchema);
      const chain = await endedChain(system.api, id);
      await eventually('nothing of it lives', () => processesWith(sleep).length === 0);
      expect(chain).toMatchObject({ outcome: 'stopped' });
      const sessions = await sessionsOf(system.api, chain);
      expect(sessions.map(({ status }) => status)).toEqual(['stopped']);
      expect(sessions[0]?.attempts.map(({ exit }) => exit?.kind)).toEqual(['stopped']);
      expect(tokensByModel(sessions)).toEqual(host.model.reportedTokens());
      expect(chain.totalCostUsd).toBeGreaterThan(0);
    });
  });
}
