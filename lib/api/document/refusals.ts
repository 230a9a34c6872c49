import type { RouteDescription } from '../route-registry';

/** An answer that is no success, and when it comes. */
interface Refusal {
  status: number;
  when: string;
}

/** What only single operations answer. A test calls each of them by its name. */
const OWN: Record<string, Record<number, string>> = {
  'POST /api/v1/projects/{projectId}/chains': {
    409: 'A chain of the project is still running; `chainId` is its id.',
    412: 'The project is paused, the tier is off, a budget is used up, or its pool has no runner.',
  },
  'POST /api/v1/chains/{chainId}/stop': { 409: 'The chain has ended.' },
  'POST /api/v1/chains/{chainId}/acknowledge': {
    409: 'The chain doesn’t need a human, or someone has already acknowledged it.',
  },
  'POST /api/v1/incidents/{incidentId}/acknowledge': {
    409: 'It is resolved, or someone has already acknowledged it.',
  },
  'POST /api/v1/incidents/{incidentId}/resolve': { 409: 'It is already resolved.' },
  'POST /api/v1/incidents/{incidentId}/merge': {
    409: 'One of the two is resolved or was merged elsewhere, they belong to different projects, or they are the same; `detail` says which.',
  },
  'POST /api/v1/incidents/{incidentId}/silence': { 409: 'It is resolved.' },
  'POST /api/v1/approvals/{approvalId}/decision': {
    409: 'It was decided, has expired, was withdrawn, or has another `digest`; `detail` says which.',
  },
  'POST /api/v1/sessions/{sessionId}/checkpoint': {
    409: 'The session isn’t running, or it writes no checkpoints; `detail` says why.',
  },
  'POST /api/v1/conversations': {
    409: 'The chain is still running.',
    412: 'The project is paused, a budget is used up, or its pool does not exist.',
  },
  'DELETE /api/v1/conversations/{conversationId}': {
    409: 'The agent is still answering; `turnId` names the turn.',
  },
  'POST /api/v1/conversations/{conversationId}/turns': {
    409: 'The agent is still answering; `turnId` names the turn.',
    412: 'The project is paused, a budget is used up, or its pool does not exist.',
  },
  'PATCH /api/v1/conversations/{conversationId}/turns/{turnId}': {
    409: 'The turn was already removed from the history.',
    412: 'The project is paused, a budget is used up, or its pool does not exist.',
  },
  'DELETE /api/v1/conversations/{conversationId}/turns/{turnId}': {
    409: 'The turn was already removed from the history.',
  },
  'POST /api/v1/conversations/{conversationId}/turns/{turnId}/retry': {
    409: 'The turn was already removed from the history.',
    412: 'The project is paused, a budget is used up, or its pool does not exist.',
  },
  'POST /api/v1/conversations/{conversationId}/turns/{turnId}/stop': {
    409: 'The answer has ended.',
  },
  'POST /api/v1/conversations/{conversationId}/turns/{turnId}/answer': {
    409: 'Someone has already answered, or the agent is no longer waiting.',
  },
  'DELETE /api/v1/projects/{projectId}': { 409: 'A chain of the project is still running.' },
  'POST /api/v1/projects/{projectId}/heartbeats/{heartbeatId}/revoke': {
    409: 'There is no previous URL, or someone else changed the URL at the same time.',
  },
  'POST /api/v1/projects/{projectId}/heartbeats/{heartbeatId}/rotate': {
    409: 'The URL before the current one is still accepted, or someone else changed the URL at the same time.',
  },
  'PATCH /api/v1/projects/{projectId}': { 409: 'Someone else saved the project at the same time.' },
  'POST /api/v1/alert-sources': { 409: 'The project has reached its limit of alert sources.' },
  'POST /api/v1/channels': {
    409: 'The organization has reached its limit of notification channels.',
  },
  'DELETE /api/v1/channels/{channelId}': {
    409: 'A paging policy names it.',
  },
  'POST /api/v1/paging-policies': {
    409: 'The organization has reached its limit of policies, or a project uses another policy.',
  },
  'PUT /api/v1/paging-policies/{policyId}': { 409: 'A project uses another policy.' },
  'POST /api/v1/webhook-endpoints': {
    409: 'The organization has reached its limit of webhook endpoints.',
  },
  'POST /api/v1/webhook-endpoints/{endpointId}/recover': { 409: 'The endpoint is disabled.' },
  'POST /api/v1/webhook-deliveries/{deliveryId}/replay': {
    409: 'The delivery is still in progress, or its endpoint is disabled.',
  },
  'POST /api/v1/runners/{runnerId}/drain': { 409: 'The runner is revoked.' },
  'DELETE /api/v1/runners/{runnerId}/drain': { 409: 'The runner is revoked.' },
  'PATCH /api/v1/runners/{runnerId}': { 409: 'The runner is revoked.' },
  'POST /api/v1/runners/{runnerId}/rotate': {
    409: 'The runner is revoked, or has its key from an environment variable.',
  },
  'PATCH /api/v1/members/{memberId}': { 409: 'They are the last owner.' },
  'DELETE /api/v1/members/{memberId}': { 409: 'They are the last owner.' },
  'POST /api/v1/invitations': { 409: 'The address belongs to a member.' },
  'POST /api/v1/invitations/{invitationId}/resend': { 409: 'It was used or revoked.' },
};

const WRONG_FIELD = 'A field is wrong; `fields` says which and why.';

/** Returns every error response of an operation, by status. */
export function refusalsOf(route: RouteDescription): Refusal[] {
  const own = OWN[`${route.method} ${route.path}`] ?? {};
  const repeats = 'the first request with this Idempotency-Key is still running';
  const found: Record<number, (string | false | null | undefined)[]> = {
    400: [route.query && route.queryRefusal === 400 && WRONG_FIELD],
    401: [route.auth !== 'public' && 'No token, or one that is unknown, expired or revoked.'],
    403: [route.scopes.length > 0 && 'The token lacks the scope, or its role is too low.'],
    404: [route.params && 'It doesn’t exist, or it belongs to another organization.'],
    409: [own[409], route.method === 'POST' && sentence(repeats)],
    412: [own[412]],
    413: [route.body && 'The body is larger than 1,000,000 bytes.'],
    415: [route.body && 'The body is not sent as `application/json`.'],
    422: [
      (route.body || (route.query && route.queryRefusal === 422)) && WRONG_FIELD,
      route.method === 'POST' && 'The Idempotency-Key was used with a different body.',
    ],
    429: [
      route.auth === 'apiKey' && 'Too many requests; wait the number of seconds in `Retry-After`.',
    ],
  };
  return Object.entries(found).flatMap(([status, reasons]) => {
    const when = reasons.filter(Boolean).join(' ');
    return when ? [{ status: Number(status), when }] : [];
  });
}

/** Operations that have refusals of their own, for the test that looks for them. */
export const OPERATIONS_WITH_REFUSALS: readonly string[] = Object.keys(OWN);

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
