import { startConversation } from '@/lib/conversations/manage-conversations';
import { createChannel } from '@/lib/deliveries/channels/manage-channels';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { sendTestEvent } from '@/lib/deliveries/manage-deliveries';
import { listApiTokens } from '@/lib/identity/api-tokens/service';
import { inviteMember } from '@/lib/identity/invitations/manage-invitations';
import { createPolicy } from '@/lib/paging/manage-policies';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId, requireId } from '@/lib/platform/ids';
import { createSignalSource } from '@/lib/signals/manage-sources';
import { createSignalSourceSchema } from '@/lib/signals/source-schema';
import { seedApproval } from '@/tests/support/cast/approval';
import { seedIncident } from '@/tests/support/cast/incident';
import { seedPingCheck } from '@/tests/support/cast/ping-check';
import { deliverWebhook } from '@/tests/support/deliver-webhook';
import type { Tenant } from './tenant';
import { seedThreeTierChain } from './three-tier-chain';

/** An id of the tenant for every parameter of a path, and the value of every filter by id. */
export async function makeOwnIds(tenant: Tenant): Promise<Record<string, string>> {
  const { scope } = tenant;
  const chain = await seedThreeTierChain(tenant);
  const endpoint = await createEndpoint(scope, {
    url: 'https://hooks.example.com/t',
    description: '',
    eventTypes: ['chain.completed'],
    projectId: chain.projectId,
  });
  const delivery = await sendTestEvent(scope, endpoint.id);
  const unreachable = {
    request: async () => ({
      ok: false as const,
      reason: 'bad_url' as const,
      isPermanent: true,
      message: 'No.',
      status: null,
      durationMs: 1,
      address: null,
    }),
  };
  await deliverWebhook(scope, requireId('dlv', delivery.id), new Date(), unreachable);
  const channel = await createChannel(scope, {
    name: 'Pager',
    settings: {
      kind: 'oncall_webhook',
      url: 'https://oncall.example.com/alerts',
      shape: 'tierwatch',
      routingKey: null,
      headers: [],
    },
    outcomes: ['needs_human'],
    eventTypes: [],
    projectId: null,
  });
  const paging = await addPaging(scope, channel.id);
  const source = await createSignalSource(
    scope,
    createSignalSourceSchema.parse({ project: chain.projectId, kind: 'generic', name: 'Nagios' }),
  );
  await tenant.token('projects:read');
  const [token] = (await listApiTokens(scope, { limit: 1 })).data;
  const email = `bo-${tenant.slug}@example.com`;
  const invitation = await inviteMember(scope, { email, role: 'operator' });
  const asked = await startConversation(scope, {
    project: chain.projectId,
    message: 'Is web well?',
    forceFresh: false,
  });
  return {
    ...asked,
    ...(await seedApproval(scope)),
    incidentId: await seedIncident(scope),
    questionId: await askBack(tenant, asked.turnId),
    projectId: chain.projectId,
    projectSlug: chain.projectSlug,
    serviceName: 'api',
    tier: '2',
    chainId: chain.chainId,
    sessionId: chain.sessionIds[0],
    runnerId: chain.runnerId,
    endpointId: endpoint.id,
    deliveryId: delivery.id,
    channelId: channel.id,
    ...paging,
    sourceId: source.id,
    heartbeatId: await seedPingCheck(scope),
    tokenId: token?.id ?? '',
    memberId: encodeId('mem', scope.actor.id),
    invitationId: invitation.id,
  };
}

/** A policy that nothing uses. */
async function addPaging(scope: TenantScope, channelId: string) {
  const policy = await createPolicy(scope, {
    name: 'Nights',
    steps: [{ afterMinutes: 5, calendarId: null, memberIds: [], channelIds: [channelId] }],
    ...{ repeatTimes: 0, repeatMinutes: 30, projectIds: [] },
  });
  return { policyId: policy.id };
}

/** A question of the agent in this turn, that waits for its answer. */
async function askBack({ scope }: Tenant, turnId: string): Promise<string> {
  const question = await inTransaction(scope, async (db) => {
    const turn = await db.turn.findFirstOrThrow({ where: { id: requireId('trn', turnId) } });
    const attempt = await db.attempt.findFirstOrThrow({ where: { sessionId: turn.sessionId } });
    return db.question.create({
      data: {
        organizationId: scope.organizationId,
        projectId: turn.projectId,
        turnId: turn.id,
        attemptId: attempt.id,
        requestId: 'r1',
        questions: [{ question: 'Which?', header: 'Service', multiSelect: false, options: [] }],
        askedAt: new Date(),
      },
    });
  });
  return encodeId('qst', question.id);
}
