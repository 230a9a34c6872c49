import { hasRole, type Role, requireRole } from '@/lib/platform/db/roles';

/**
 * Everything that people do in an organization, and the least role for it. Services ask here, the
 * members page shows it, and a test walks every route and server action along it.
 */
export const MIN_ROLE = {
  'organization.read': 'viewer',
  'member.read': 'viewer',
  'organization.leave': 'viewer',
  'chain.run': 'operator',
  'chain.stop': 'operator',
  'chain.acknowledge': 'operator',
  'incident.acknowledge': 'operator',
  'approval.decide': 'operator',
  'session.checkpoint': 'operator',
  'session.discard': 'operator',
  'conversation.ask': 'operator',
  'service.snooze': 'operator',
  'project.pause': 'operator',
  'organization.pause': 'operator',
  'tier.pause': 'operator',
  'runner.pause': 'operator',
  'demo.break': 'operator',
  'chain.run_above_tier_1': 'admin',
  'conversation.delete': 'admin',
  'project.create': 'admin',
  'project.change': 'admin',
  'runner.manage': 'admin',
  'webhook.manage': 'admin',
  'channel.manage': 'admin',
  'alert_source.manage': 'admin',
  'token.manage': 'admin',
  'member.manage': 'admin',
  'organization.change': 'admin',
  'audit.read': 'admin',
  'owner.manage': 'owner',
  'check.allow_command': 'owner',
  'project.delete': 'owner',
  'second_factor.require': 'owner',
  'organization.delete': 'owner',
} as const satisfies Record<string, Role>;
export type Act = keyof typeof MIN_ROLE;

export function mayDo(role: Role, act: Act): boolean {
  return hasRole(role, MIN_ROLE[act]);
}

/** Throws ForbiddenError when the scope's role does not reach for the act. */
export function requireMay(scope: { role: Role }, act: Act): void {
  requireRole(scope, MIN_ROLE[act]);
}
