import { expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { browseAudit } from '@/lib/identity/audit/read-audit';
import { nameAuditTargets } from '@/lib/insight/audit/targets';
import { makeCast } from '@/tests/support/cast/organization';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

it('names what entries of the audit log are about, and nothing of another organization', async () => {
  const { alice, projectId, runner } = await makeCast();
  await startChain(alice, { projectId, trigger: 'manual' });
  await play(runner, await claimNext(runner), {});
  const { entries } = await browseAudit(alice, {}, { limit: 50 });
  const ids = entries.map((entry) => entry.target);
  const targets = await nameAuditTargets(alice, ids);
  const project = { slug: 'checkout', name: 'Checkout' };
  const named = entries.map((entry) => [entry.action, targets.get(entry.target)]);
  expect(named).toEqual(
    expect.arrayContaining([
      ['chain.started', { kind: 'chain', number: 1, project }],
      ['decision.made', { kind: 'session', number: 1, tier: 1, project, conversationId: null }],
      ['project.created', { kind: 'project', project }],
    ]),
  );
  const charlie = await makeCast();
  expect([...(await nameAuditTargets(charlie.alice, ids))]).toEqual([]);
});
