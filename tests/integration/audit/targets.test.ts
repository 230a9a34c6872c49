import { expect, it } from 'vitest';
import { createChannel } from '@/lib/deliveries/channels/manage-channels';
import { startChain } from '@/lib/engine/chains/start-chain';
import { browseAudit } from '@/lib/identity/audit/read-audit';
import { acknowledgeIncident } from '@/lib/incidents/manage-incidents';
import { nameAuditTargets } from '@/lib/insight/audit-targets';
import { createPolicy } from '@/lib/paging/manage-policies';
import { createSignalSource } from '@/lib/signals/manage-sources';
import { createSignalSourceSchema } from '@/lib/signals/source-schema';
import { seedIncident } from '@/tests/support/cast/incident';
import { makeCast } from '@/tests/support/cast/organization';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

it('names what entries of the audit log are about, and nothing of another organization', async () => {
  const { alice, projectId, projectSlug, runner } = await makeCast();
  await startChain(alice, { projectId, trigger: 'manual' });
  await play(runner, await claimNext(runner), {});
  const channel = await createChannel(alice, {
    name: 'Slack',
    settings: {
      ...{ kind: 'apprise', serverUrl: 'https://apprise.example' },
      ...{ urls: ['slack://a/b'], configKey: null, tags: null },
    },
    ...{ outcomes: ['needs_human'], eventTypes: [], projectId: null },
  });
  const channelIds = [channel.id];
  await createPolicy(alice, {
    ...{ name: 'Nights', repeatTimes: 0, repeatMinutes: 30, projectIds: [] },
    steps: [{ afterMinutes: 5, calendarId: null, memberIds: [], channelIds }],
  });
  await createSignalSource(
    alice,
    createSignalSourceSchema.parse({ project: projectSlug, kind: 'grafana', name: 'Grafana' }),
  );
  await acknowledgeIncident(alice, await seedIncident(alice), { note: '' });
  const { entries } = await browseAudit(alice, {}, { limit: 50 });
  const ids = entries.map((entry) => entry.target);
  const targets = await nameAuditTargets(alice, ids);
  const project = { slug: 'checkout', name: 'Checkout' };
  const named = entries.map((entry) => [entry.action, targets.get(entry.target)]);
  expect(named).toEqual(
    expect.arrayContaining([
      ['alert_source.created', { kind: 'alert_source', name: 'Grafana', project }],
      ['chain.started', { kind: 'chain', number: 1, project }],
      ['decision.made', { kind: 'session', number: 1, tier: 1, project, conversationId: null }],
      ['paging_policy.created', { kind: 'policy', name: 'Nights' }],
      ['incident.acknowledged', { kind: 'incident', number: 1, project }],
      ['project.created', { kind: 'project', project }],
    ]),
  );
  const charlie = await makeCast();
  expect([...(await nameAuditTargets(charlie.alice, ids))]).toEqual([]);
});
