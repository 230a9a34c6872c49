import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { chainDetailSchema } from '@/lib/insight/chains/schema';
import { eventually } from '../bootstrap/eventually';
import { processesWith } from '../support/fake-control-plane/processes';
import { callBash, hang } from '../support/messages-api/reply';
import {
  createProject,
  endedChain,
  eventsOf,
  readChain,
  sessionsOf,
  startChain,
} from '../support/system/chain-run';
import { addClaudeHost, type ClaudeHost } from '../support/system/claude-host';
import { tokensByModel } from '../support/system/ledger-tokens';
import { useSharedSystem } from '../support/system/use-system';

const system = useSharedSystem();

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
      const seconds = 9_990_000 + Math.floor(Math.random() * 9_999);
      const left = `sleep ${seconds}.1`;
      const held = `sleep ${seconds}.2`;
      host.model.setScript([
        // Its shell ends at once, so the CLI itself can no longer find these.
        callBash(`setsid sh -c '${left} & ${left}' &`),
        callBash(held),
        hang(),
      ]);
      const project = await createProject(
        system.api,
        host.project({ services: [], tiers: [{ tier: 1, allowedTools: ['Bash'] }], maxTier: 1 }),
      );
      const { id } = await startChain(system.api, project.id);
      await eventually(
        'both commands run',
        () => [left, held].every((command) => processesWith(command).length > 0),
        60_000,
      );
      const sessionId = (await readChain(system.api, id)).sessions[0]?.id ?? '';
      // What an answer cost is known to the product once it has been told.
      await eventually('the second call is told', async () =>
        JSON.stringify(await eventsOf(system.api, sessionId)).includes(held),
      );

      await system.api.post(`chains/${id}/stop`, {}, chainDetailSchema);
      const chain = await endedChain(system.api, id);
      await eventually('nothing of it lives', () => processesWith(`sleep ${seconds}`).length === 0);
      expect(chain).toMatchObject({ outcome: 'stopped' });
      const sessions = await sessionsOf(system.api, chain);
      expect(sessions.map(({ status }) => status)).toEqual(['stopped']);
      expect(sessions[0]?.attempts.map(({ exit }) => exit?.kind)).toEqual(['stopped']);
      expect(tokensByModel(sessions)).toEqual(host.model.reportedTokens());
      expect(chain.totalCostUsd).toBeGreaterThan(0);
    });
  });
}
