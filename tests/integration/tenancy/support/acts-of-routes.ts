import type { Act } from '@/lib/identity/tenancy/role-matrix';

interface Row {
  act: Act;
  body?: Record<string, unknown> | ((world: Record<string, string>) => Record<string, unknown>);
}

const read: Row = { act: 'organization.read' };
const row = (act: Act, body?: Row['body']): Row => ({ act, ...(body ? { body } : {}) });

const until = new Date(Date.now() + 3_600_000).toISOString();

/**
 * Every route of the REST API: what it does in the matrix, and a body that is taken. In the order
 * of the walk, what takes the world along last.
 */
export const ACTS_OF_ROUTES: Record<string, Row> = {
  'GET /api/v1/organization': read,
  'GET /api/v1/projects': read,
  'GET /api/v1/projects/{projectId}': read,
  'GET /api/v1/projects/{projectId}/chains': read,
  'POST /api/v1/projects/{projectId}/policy-preview': row('organization.read', { maxTier: 2 }),
  'GET /api/v1/chains/{chainId}': read,
  'GET /api/v1/approvals': read,
  'GET /api/v1/commands': read,
  'GET /api/v1/approvals/{approvalId}': read,
  'GET /api/v1/sessions': read,
  'GET /api/v1/sessions/{sessionId}': read,
  'GET /api/v1/sessions/{sessionId}/events': read,
  'GET /api/v1/checkpoints': read,
  'GET /api/v1/checkpoints/{sessionId}': read,
  'GET /api/v1/conversations': read,
  'GET /api/v1/conversations/{conversationId}': read,
  'GET /api/v1/conversations/{conversationId}/turns': read,
  'GET /api/v1/conversations/{conversationId}/turns/{turnId}': read,
  'GET /api/v1/runners': read,
  'GET /api/v1/runners/{runnerId}': read,
  'GET /api/v1/webhook-endpoints': read,
  'GET /api/v1/webhook-endpoints/{endpointId}': read,
  'GET /api/v1/channels': read,
  'GET /api/v1/channels/{channelId}': read,
  'GET /api/v1/webhook-deliveries': read,
  'GET /api/v1/webhook-deliveries/{deliveryId}': read,
  'GET /api/v1/usage': read,
  'GET /api/v1/members': row('member.read'),
  'GET /api/v1/members/{memberId}': row('member.read'),
  'GET /api/v1/invitations': row('member.manage'),
  'GET /api/v1/tokens': row('token.manage'),
  'GET /api/v1/audit': row('audit.read'),
  'GET /api/v1/audit/verification': row('audit.read'),
  'POST /api/v1/approvals/{approvalId}/decision': row('approval.decide', (world) => ({
    verdict: 'approve',
    digest: world.approvalDigest,
  })),
  'POST /api/v1/projects/{projectId}/chains': row('chain.run', {}),
  'POST /api/v1/chains/{chainId}/stop': row('chain.stop', {}),
  'POST /api/v1/chains/{chainId}/acknowledge': row('chain.acknowledge', {}),
  'DELETE /api/v1/chains/{chainId}/acknowledge': row('chain.acknowledge'),
  'POST /api/v1/sessions/{sessionId}/checkpoint': row('session.checkpoint', {}),
  'POST /api/v1/sessions/{sessionId}/discard': row('session.discard', {}),
  'POST /api/v1/conversations': row('conversation.ask', ({ projectId }) => ({
    project: projectId,
    message: 'Why?',
  })),
  'PATCH /api/v1/conversations/{conversationId}': row('conversation.ask', { title: 'Another' }),
  'DELETE /api/v1/conversations/{conversationId}': row('conversation.delete'),
  'POST /api/v1/conversations/{conversationId}/turns': row('conversation.ask', { message: 'Why?' }),
  'POST /api/v1/conversations/{conversationId}/turns/{turnId}/answer': row(
    'conversation.ask',
    ({ questionId }) => ({ questionId, answers: [{ question: 'Which?', answer: 'web' }] }),
  ),
  'POST /api/v1/conversations/{conversationId}/turns/{turnId}/stop': row('conversation.ask', {}),
  'POST /api/v1/conversations/{conversationId}/turns/{turnId}/retry': row('conversation.ask', {}),
  'PATCH /api/v1/conversations/{conversationId}/turns/{turnId}': row('conversation.ask', {
    message: 'Why?',
  }),
  'DELETE /api/v1/conversations/{conversationId}/turns/{turnId}': row('conversation.ask'),
  'POST /api/v1/projects/{projectId}/tiers/{tier}/pause': row('tier.pause', {}),
  'DELETE /api/v1/projects/{projectId}/tiers/{tier}/pause': row('tier.pause'),
  'POST /api/v1/runners/{runnerId}/pause': row('runner.pause', {}),
  'DELETE /api/v1/runners/{runnerId}/pause': row('runner.pause'),
  'POST /api/v1/projects/{projectId}/services/{serviceName}/snooze': row('service.snooze', {
    until,
  }),
  'DELETE /api/v1/projects/{projectId}/services/{serviceName}/snooze': row('service.snooze'),
  'POST /api/v1/projects/{projectId}/pause': row('project.pause', {}),
  'DELETE /api/v1/projects/{projectId}/pause': row('project.pause'),
  'POST /api/v1/organization/pause': row('organization.pause', {}),
  'DELETE /api/v1/organization/pause': row('organization.pause'),
  'PATCH /api/v1/organization': row('organization.change', { name: 'Walked' }),
  'POST /api/v1/projects': row('project.create', { name: 'New one' }),
  'PATCH /api/v1/projects/{projectId}': row('project.change', { name: 'Changed' }),
  'POST /api/v1/runners': row('runner.manage', {}),
  'PATCH /api/v1/runners/{runnerId}': row('runner.manage', { allowedTiers: [1] }),
  'POST /api/v1/runners/{runnerId}/drain': row('runner.manage', {}),
  'DELETE /api/v1/runners/{runnerId}/drain': row('runner.manage'),
  'POST /api/v1/runners/updates': row('runner.manage', {}),
  'POST /api/v1/runners/{runnerId}/update': row('runner.manage', {}),
  'DELETE /api/v1/runners/{runnerId}/update': row('runner.manage'),
  'POST /api/v1/runners/{runnerId}/rotate': row('runner.manage', {}),
  'POST /api/v1/runners/{runnerId}/revoke': row('runner.manage', {}),
  'POST /api/v1/webhook-endpoints': row('webhook.manage', {
    url: 'https://hooks.example.com/walk',
    eventTypes: ['chain.completed'],
  }),
  'PATCH /api/v1/webhook-endpoints/{endpointId}': row('webhook.manage', { description: 'New' }),
  'POST /api/v1/webhook-endpoints/{endpointId}/rotate': row('webhook.manage', {}),
  'POST /api/v1/webhook-endpoints/{endpointId}/test': row('webhook.manage', {}),
  'POST /api/v1/webhook-deliveries/{deliveryId}/replay': row('webhook.manage', {}),
  'POST /api/v1/webhook-endpoints/{endpointId}/recover': row('webhook.manage', {
    since: '2026-01-01T00:00:00Z',
  }),
  'DELETE /api/v1/webhook-endpoints/{endpointId}': row('webhook.manage'),
  'POST /api/v1/channels': row('channel.manage', {
    name: 'Walk',
    settings: { kind: 'apprise', serverUrl: 'https://apprise.example.com', urls: ['slack://a'] },
  }),
  'PATCH /api/v1/channels/{channelId}': row('channel.manage', { name: 'New' }),
  'POST /api/v1/channels/{channelId}/test': row('channel.manage', {}),
  'DELETE /api/v1/channels/{channelId}': row('channel.manage'),
  'POST /api/v1/tokens': row('token.manage', { name: 'walk', scopes: ['projects:read'] }),
  'DELETE /api/v1/tokens/{tokenId}': row('token.manage'),
  'POST /api/v1/invitations': row('member.manage', { email: 'dan@example.com', role: 'viewer' }),
  'POST /api/v1/invitations/{invitationId}/resend': row('member.manage', {}),
  'DELETE /api/v1/invitations/{invitationId}': row('member.manage'),
  'PATCH /api/v1/members/{memberId}': row('member.manage', { role: 'operator' }),
  'DELETE /api/v1/members/{memberId}': row('member.manage'),
  'DELETE /api/v1/projects/{projectId}': row('project.delete'),
};
