/** The resources of the REST API, as its paths name them. */
const TOKEN_RESOURCES = [
  'organization',
  'projects',
  'chains',
  'incidents',
  'sessions',
  'commands',
  'alert-sources',
  'alerts',
  'checkpoints',
  'runners',
  'webhook-endpoints',
  'webhook-deliveries',
  'audit',
  'conversations',
  'members',
  'tokens',
  'channels',
  'paging-policies',
  'usage',
  'analytics',
] as const;
type Resource = (typeof TOKEN_RESOURCES)[number];

/** Resources of earlier versions, which tokens may name. Schedules are gone, so theirs allow nothing. */
const FORMER_RESOURCES = ['escalation-policies', 'oncall-schedules'] as const;

/** What a token may be allowed to do; `all` is everything that an admin may. */
export type TokenScope =
  | 'all'
  | 'chains:run'
  | 'approvals:read'
  | 'approvals:decide'
  | `${Resource | (typeof FORMER_RESOURCES)[number]}:${'read' | 'write'}`;

export const TOKEN_SCOPES: readonly TokenScope[] = [
  'all',
  'chains:run',
  'approvals:read',
  'approvals:decide',
  ...[...TOKEN_RESOURCES, ...FORMER_RESOURCES].flatMap(
    (resource) => [`${resource}:read`, `${resource}:write`] as const,
  ),
];

/** Scopes with which a token can give itself or others more than it has. */
const WIDE_SCOPES: readonly TokenScope[] = [
  'all',
  'organization:write',
  'members:write',
  'tokens:write',
];

/** Whether making a token with these scopes asks its maker for a recent confirmation. */
export function isWide(scopes: readonly TokenScope[]): boolean {
  return scopes.some((scope) => WIDE_SCOPES.includes(scope));
}

/**
 * Whether what was granted reaches. Who may write may do everything with that resource; who may
 * run chains may see them, and who may decide about approvals, too.
 */
export function hasTokenScope(given: readonly string[], needed: TokenScope): boolean {
  const granted = given.map((scope) => scope.replace(/^escalation-policies:/, 'paging-policies:'));
  if (granted.includes('all') || granted.includes(needed)) return true;
  const [resource] = needed.split(':');
  if (granted.includes(`${resource}:write`)) return true;
  if (needed === 'approvals:read') return granted.includes('approvals:decide');
  return needed === 'chains:read' && granted.includes('chains:run');
}
