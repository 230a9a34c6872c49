import { expect, it } from 'vitest';
import { createChannel } from '@/lib/deliveries/channels/manage-channels';
import type { ChannelSettings } from '@/lib/deliveries/channels/registry';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { WEBHOOK_EVENT_TYPES, webhookEventSchema } from '@/lib/deliveries/schema';
import { startChain } from '@/lib/engine/chains/start-chain';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { makeCast } from '@/tests/support/cast/organization';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { talk } from '../conversations/support/asking';

useTestDatabase();

/** Every event of the organization in the order they were written, each as its schema says. */
async function eventsOf(scope: TenantScope) {
  const rows = await inTransaction(scope, (db) =>
    db.webhookDelivery.findMany({
      where: { endpointId: { not: null } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
  );
  return rows.map((row) => webhookEventSchema.parse(JSON.parse(row.body)));
}

function notices(scope: TenantScope, code: string) {
  return inTransaction(scope, (db) => db.projectEvent.findMany({ where: { code } }));
}

const DOWN = {
  kind: 'check_result' as const,
  service: 'web',
  type: 'http' as const,
  status: 'down' as const,
  target: 'http://127.0.0.1:9/health',
  error: 'refused',
  responseTimeMs: null,
};

const PAGER: ChannelSettings = {
  kind: 'apprise',
  serverUrl: 'https://apprise.example',
  urls: ['slack://a/b'],
  configKey: null,
  tags: null,
};

const OTHERS: Record<string, ChannelSettings> = {
  Ops: { kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/x' },
  Duty: {
    kind: 'oncall_webhook',
    url: 'https://oncall.example/alerts',
    shape: 'events_v2',
    routingKey: null,
    headers: [],
  },
};

async function runToTheTop(cast: Awaited<ReturnType<typeof makeCast>>) {
  const { alice, runner, projectId } = cast;
  await startChain(alice, { projectId, trigger: 'manual' });
  for (const tier of [1, 2, 3]) {
    const report = tier === 3 ? { ...wantsHelp(), resolved: false } : wantsHelp();
    await play(runner, await claimNext(runner), { report, events: [DOWN], costUsd: 0.4 });
  }
}

it('[SAS-5.1] every event type is sent where it happens', async () => {
  const cast = await makeCast({ budgets: { chainUsd: 1, dayUsd: null, monthUsd: null } });
  await createEndpoint(cast.alice, {
    url: 'https://hooks.acme.example/t',
    description: '',
    eventTypes: [...WEBHOOK_EVENT_TYPES],
    projectId: null,
  });
  await runToTheTop(cast);
  const events = await eventsOf(cast.alice);
  expect(events.map((event) => event.type)).toEqual([
    'chain.started',
    'session.completed',
    'chain.escalated',
    'budget.warning',
    'session.completed',
    'chain.escalated',
    'budget.reached',
    'incident.opened',
    'incident.needs_human',
    'session.completed',
    'chain.completed',
    'chain.needs_human',
  ]);
  expect(events.find((event) => event.type === 'chain.escalated')?.data).toMatchObject({
    from: { tier: 1, number: 1, status: 'escalated', costUsd: 0.4 },
    to: { tier: 2, number: 2 },
    servicesAffected: ['web'],
  });
  expect(events.find((event) => event.type === 'budget.warning')?.data).toMatchObject({
    chain: { number: 1 },
    budget: { scope: 'chain', limitUsd: 1, spentUsd: 0.8 },
  });
});

it('[SAS-5.1] the cost of a turn that reaches a budget is told like that of a chain, once', async () => {
  const cast = await makeCast({ budgets: { chainUsd: null, dayUsd: 1, monthUsd: null } });
  await createEndpoint(cast.alice, {
    url: 'https://hooks.acme.example/t',
    description: '',
    eventTypes: ['budget.warning', 'budget.reached'],
    projectId: null,
  });
  await createChannel(cast.alice, {
    name: 'Pager',
    settings: PAGER,
    outcomes: [],
    eventTypes: ['budget.reached'],
    projectId: null,
  });
  const conversation = await talk(cast);
  expect(await eventsOf(cast.alice)).toEqual([]);
  await conversation.ask('And db?', {}, { costUsd: 0.85 });
  await conversation.ask('And mail?', {}, { costUsd: 0.3 });
  const events = await eventsOf(cast.alice);
  expect(events.map(({ type }) => type)).toEqual(['budget.warning', 'budget.reached']);
  expect(events[1]?.data).toMatchObject({
    project: { name: 'Checkout' },
    chain: null,
    budget: { scope: 'day', limitUsd: 1 },
  });
  const pages = await inTransaction(cast.alice, (db) =>
    db.webhookDelivery.findMany({ where: { channelId: { not: null } } }),
  );
  expect(pages).toMatchObject([{ eventType: 'budget.reached', chainId: null }]);
  await expect(conversation.ask('And the disk?')).rejects.toThrow("reached today's budget");
});

it('[HND-8.1] the feed says who is told that a human is needed, and when that is nobody', async () => {
  const told = await makeCast();
  await createChannel(told.alice, {
    name: 'Pager',
    settings: PAGER,
    outcomes: ['needs_human'],
    eventTypes: [],
    projectId: null,
  });
  for (const [name, settings] of Object.entries(OTHERS)) {
    await createChannel(told.alice, {
      name,
      settings,
      outcomes: ['needs_human'],
      eventTypes: [],
      projectId: null,
    });
  }
  await runToTheTop(told);
  expect(await notices(told.alice, 'NOTIFIED')).toMatchObject([
    {
      level: 'info',
      message:
        'A human is needed. Notifying Duty (on-call webhook), Ops (Slack) and Pager (Apprise).',
    },
  ]);
  const untold = await makeCast();
  await runToTheTop(untold);
  expect(await notices(untold.alice, 'NOBODY_NOTIFIED')).toMatchObject([{ level: 'warning' }]);
});
