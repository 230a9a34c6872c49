/** Who learns of an approval, and who may see and decide it: webhooks, channels, the audit log, the API. */
import { expect, it } from 'vitest';
import { createChannel } from '@/lib/deliveries/channels/manage-channels';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { webhookEventSchema } from '@/lib/deliveries/schema';
import { decideApproval } from '@/lib/engine/approvals/decide-approval';
import { expireApprovals } from '@/lib/engine/sweep/expire-approvals';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { scopeOfApiToken } from '@/lib/identity/tenancy/make-scope';
import type { TokenScope } from '@/lib/identity/token-scopes';
import { getApproval, listApprovals } from '@/lib/insight/approvals/list-approvals';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { joined } from '../members/people';
import { ask, decide, endForApproval, onlyApproval, tierTwoRuns } from './support/approving';
import { refusalOf } from './support/running';

useTestDatabase();

const APPROVAL_EVENTS = ['approval.requested', 'approval.decided', 'approval.expired'] as const;

async function listen({ alice }: Cast): Promise<void> {
  await createEndpoint(alice, {
    url: 'https://hooks.acme.example/t',
    description: '',
    eventTypes: [...APPROVAL_EVENTS],
    projectId: null,
  });
  await createChannel(alice, {
    name: 'Pager',
    settings: {
      kind: 'apprise',
      serverUrl: 'https://apprise.example',
      urls: ['slack://a/b'],
      configKey: null,
      tags: null,
    },
    outcomes: ['needs_human'],
    eventTypes: [],
    projectId: null,
  });
}

function deliveriesOf({ alice }: Cast) {
  return inTransaction(alice, (db) => db.webhookDelivery.findMany({ orderBy: { id: 'asc' } }));
}

async function sentEvents(cast: Cast) {
  const rows = await deliveriesOf(cast);
  return rows.flatMap((row) =>
    row.endpointId === null ? [] : webhookEventSchema.parse(JSON.parse(row.body)),
  );
}

async function auditOf({ alice }: Cast) {
  const rows = await inTransaction(alice, (db) =>
    db.auditLog.findMany({ orderBy: { seq: 'asc' } }),
  );
  return rows.flatMap(({ action, actor }) =>
    action.startsWith('approval.') ? [`${action} by ${actor.split(':')[0]}`] : [],
  );
}

it('[BND-4.3] a request and its decision are announced by webhook and channel, with a link to sign in behind, and every step is in the audit log', async () => {
  const scene = await tierTwoRuns();
  const { cast, now } = scene;
  await listen(cast);
  await ask(scene, {}, now);
  await ask(scene, {}, now);
  const approval = await onlyApproval(cast);
  const id = encodeId('apr', approval.id);
  const link = expect.stringMatching(new RegExp(`/${cast.organizationSlug}/approvals/${id}$`));
  expect(await sentEvents(cast)).toMatchObject([
    {
      type: 'approval.requested',
      data: {
        link,
        summary: expect.stringContaining('`docker restart web` waits for approval until'),
        approval: { id, argv: ['docker', 'restart', 'web'], digest: approval.digest, votes: [] },
      },
    },
  ]);
  const pages = (await deliveriesOf(cast)).filter(({ channelId }) => channelId !== null);
  expect(pages.map(({ eventType }) => eventType)).toEqual(['approval.requested']);
  expect(JSON.parse(pages[0]?.body ?? '')).toMatchObject({
    title: expect.stringContaining('waits for your approval'),
    link: { label: 'Open the approval' },
  });
  await decide(cast.alice, cast, 'approve', now, 'Fine.');
  await ask(scene, {}, now);
  expect((await sentEvents(cast)).at(-1)).toMatchObject({
    type: 'approval.decided',
    data: {
      approval: {
        status: 'approved',
        votes: [{ person: cast.alice.actor.label, verdict: 'approve' }],
      },
    },
  });
  expect(await auditOf(cast)).toEqual([
    'approval.requested by runner',
    'approval.approved by user',
    'approval.used by runner',
  ]);
});

it('[BND-4.3] a request that expires is announced, and in the audit log', async () => {
  const scene = await tierTwoRuns();
  const { cast, now } = scene;
  await listen(cast);
  await ask(scene, {}, now);
  await endForApproval(scene, now);
  await expireApprovals(new Date(now.getTime() + 5 * 3_600_000));
  const types = (await sentEvents(cast)).map(({ type }) => type);
  expect(types).toEqual(['approval.requested', 'approval.expired']);
  expect(await auditOf(cast)).toEqual([
    'approval.requested by runner',
    'approval.expired by system',
  ]);
});

it('[BND-4.3] a token decides as the member who created it, if its scopes and their role reach', async () => {
  const scene = await tierTwoRuns();
  const { cast, now } = scene;
  const admin = await joined(cast.alice, 'admin');
  const tokenWith = async (scopes: TokenScope[]) => {
    const input = { name: 'decider', scopes, expiresInDays: 1 };
    return scopeOfApiToken((await createApiToken(admin.scope, input)).token);
  };
  await ask(scene, {}, now);
  const { id, digest } = await onlyApproval(cast);
  const vote = { verdict: 'approve' as const, digest, note: '' };
  const reader = await tokenWith(['approvals:read']);
  expect(await refusalOf(decideApproval(reader, encodeId('apr', id), vote, now))).toBe('forbidden');
  const decider = await tokenWith(['approvals:decide']);
  // Made on the command line, so that nobody knows whose it is.
  await inTransaction(cast.alice, (db) =>
    db.apiToken.updateMany({
      where: { id: decider.actor.id },
      data: { createdBy: 'Command line' },
    }),
  );
  expect(await refusalOf(decideApproval(decider, encodeId('apr', id), vote, now))).toBe(
    'forbidden',
  );
  await inTransaction(cast.alice, (db) =>
    db.apiToken.updateMany({ where: { id: decider.actor.id }, data: { createdBy: admin.email } }),
  );
  await decideApproval(decider, encodeId('apr', id), vote, now);
  expect((await onlyApproval(cast)).votes).toMatchObject([{ person: admin.email, via: 'api' }]);
});

it('[BND-4.4] another organization neither sees an approval nor decides it', async () => {
  const scene = await tierTwoRuns();
  const { cast, now } = scene;
  const other = await makeCast();
  await ask(scene, {}, now);
  const { id, digest } = await onlyApproval(cast);
  const typed = encodeId('apr', id);
  const vote = { verdict: 'approve' as const, digest, note: '' };
  expect(await refusalOf(getApproval(other.alice, typed))).toBe('not_found');
  expect(await refusalOf(decideApproval(other.alice, typed, vote, now))).toBe('not_found');
  expect((await listApprovals(other.alice, { limit: 10 })).data).toEqual([]);
  expect(await getApproval(cast.alice, typed)).toMatchObject({ id: typed, forbidden: null });
});
