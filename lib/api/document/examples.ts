/** A body for each operation that takes fields, as small as it can be and still mean something. */
export const EXAMPLE_BODIES: Record<string, unknown> = {
  'POST /api/v1/projects': {
    name: 'Checkout',
    services: [
      { name: 'web', checks: [{ type: 'http', target: 'https://shop.example.com/health' }] },
    ],
    schedule: { kind: 'interval', everySeconds: 600 },
  },
  'PATCH /api/v1/projects/{projectId}': {
    maxTier: 2,
    tiers: [{ tier: 2, allowedTools: ['Bash(docker restart web)', 'Bash(docker ps:*)'] }],
  },
  'POST /api/v1/projects/{projectId}/chains': { prompt: 'We have just deployed 4711.' },
  'POST /api/v1/projects/{projectId}/pause': { reason: 'Migration until 18:00' },
  'POST /api/v1/projects/{projectId}/services/{serviceName}/snooze': {
    until: '2027-01-31T18:00:00Z',
    reason: 'Known, fixed with the next deployment',
  },
  'POST /api/v1/chains/{chainId}/acknowledge': { note: 'I am on it.' },
  'POST /api/v1/conversations': { project: 'checkout', message: 'Is the disk still filling?' },
  'PATCH /api/v1/conversations/{conversationId}': { title: 'The outage of web' },
  'POST /api/v1/conversations/{conversationId}/turns': { message: 'And since when?' },
  'PATCH /api/v1/conversations/{conversationId}/turns/{turnId}': {
    message: 'Is the disk of web still filling?',
  },
  'POST /api/v1/conversations/{conversationId}/turns/{turnId}/retry': { agent: 'claude' },
  'POST /api/v1/conversations/{conversationId}/turns/{turnId}/answer': {
    questionId: 'qst_0000000000000000000000',
    answers: [{ question: 'Which service?', answer: 'web' }],
  },
  'POST /api/v1/organization/pause': { reason: 'Change freeze' },
  'PATCH /api/v1/organization': { name: 'Acme' },
  'POST /api/v1/runners': { pool: 'default', allowedTiers: [1, 2] },
  'POST /api/v1/projects/{projectId}/tiers/{tier}/pause': { reason: 'Freeze before the launch' },
  'POST /api/v1/runners/{runnerId}/pause': {
    reason: 'New kernel',
    endsAt: '2027-01-31T18:00:00Z',
  },
  'PATCH /api/v1/runners/{runnerId}': { allowedTiers: [1] },
  'POST /api/v1/webhook-endpoints': {
    url: 'https://hooks.example.com/tierwatch',
    eventTypes: ['chain.completed', 'chain.needs_human'],
  },
  'PATCH /api/v1/webhook-endpoints/{endpointId}': { isEnabled: true },
  'POST /api/v1/webhook-endpoints/{endpointId}/recover': { since: '2026-11-21T00:00:00Z' },
  'POST /api/v1/channels': {
    name: 'On call',
    settings: { kind: 'email', addresses: ['oncall@example.com'] },
    outcomes: ['needs_human', 'failed', 'lost'],
  },
  'PATCH /api/v1/channels/{channelId}': { isMuted: true },
  'POST /api/v1/invitations': { email: 'bo@example.com', role: 'operator' },
  'PATCH /api/v1/members/{memberId}': { role: 'operator' },
  'POST /api/v1/tokens': { name: 'Deployments', scopes: ['chains:run'], expiresInDays: 30 },
};
