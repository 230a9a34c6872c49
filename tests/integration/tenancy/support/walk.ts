import type { Operation } from '@/lib/operations/operation';
import { OPERATIONS } from '@/lib/operations/registry';

type World = Record<string, string>;
type Body = Record<string, unknown>;

const policy = ({ channelId }: World) => ({
  name: 'Walk',
  steps: [{ afterMinutes: 5, channelIds: [channelId] }],
});
const inAnHour = () => ({ until: new Date(Date.now() + 3_600_000).toISOString() });

/** Bodies that are about the walk's own organization, or about now; others are the examples. */
const BODIES: Record<string, (world: World) => Body> = {
  'POST /api/v1/approvals/{approvalId}/decision': ({ approvalDigest }) => ({
    verdict: 'approve',
    digest: approvalDigest,
  }),
  'POST /api/v1/incidents/{incidentId}/merge': ({ incidentId }) => ({ into: incidentId }),
  'POST /api/v1/incidents/{incidentId}/silence': () => ({}),
  'POST /api/v1/conversations': ({ projectId }) => ({ project: projectId, message: 'Why?' }),
  'POST /api/v1/conversations/{conversationId}/turns/{turnId}/answer': ({ questionId }) => ({
    questionId,
    answers: [{ question: 'Which?', answer: 'web' }],
  }),
  'POST /api/v1/runners/{runnerId}/pause': () => ({}),
  'POST /api/v1/projects/{projectId}/services/{serviceName}/snooze': inAnHour,
  'POST /api/v1/projects/{projectId}/heartbeats/{heartbeatId}/revoke': () => ({ url: 'all' }),
  'POST /api/v1/signal-sources': ({ projectId }) => ({
    project: projectId,
    kind: 'generic',
    name: 'Walk',
  }),
  'POST /api/v1/channels': () => ({
    name: 'Walk',
    settings: { kind: 'apprise', serverUrl: 'https://apprise.example.com', urls: ['slack://a'] },
  }),
  // Muted, it couldn't be named in a step.
  'PATCH /api/v1/channels/{channelId}': () => ({ name: 'New' }),
  'POST /api/v1/paging-policies': policy,
  'PUT /api/v1/paging-policies/{policyId}': (world) => ({ ...policy(world), name: 'Changed' }),
};

export function nameOf({ handler }: Operation): string {
  return `${handler.description.method} ${handler.description.path}`;
}

/** Returns a body that the operation accepts, or null where it has none. */
export function bodyOf(operation: Operation, world: World): Body | null {
  const { body } = operation.handler.description;
  if (!body) return null;
  return BODIES[nameOf(operation)]?.(world) ?? (operation.example as Body | undefined) ?? {};
}

/** What others of the walk need goes last: a project takes everything with it. */
const LAST = [
  'DELETE /api/v1/channels/{channelId}',
  'DELETE /api/v1/members/{memberId}',
  'DELETE /api/v1/projects/{projectId}',
];

function turnOf(operation: Operation): number {
  const name = nameOf(operation);
  if (LAST.includes(name)) return 3 + LAST.indexOf(name);
  if (name.startsWith('GET ')) return 0;
  return /^DELETE .*\}$|\/revoke$/.test(name) ? 2 : 1;
}

/** Every operation, those that remove something after those that need it. */
export const WALK: readonly Operation[] = OPERATIONS.toSorted(
  (one, other) => turnOf(one) - turnOf(other),
);
