/** Everything that the audit log can say. Past tense; a new action is added here first. */
export const AUDIT_ACTIONS = [
  'organization.created',
  'organization.paused',
  'organization.resumed',
  'organization.changed',
  'organization.deleted',
  'invitation.created',
  'invitation.resent',
  'invitation.revoked',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.left',
  'project.created',
  'project.saved',
  'project.paused',
  'project.resumed',
  'project.deleted',
  'tier.paused',
  'tier.resumed',
  'service.snoozed',
  'service.woken',
  'chain.started',
  'chain.stop_requested',
  'chain.acknowledged',
  'chain.acknowledgement_ended',
  'chain.ended',
  'session.checkpoint_requested',
  'session.discarded',
  'conversation.started',
  'conversation.asked',
  'conversation.edited',
  'conversation.retried',
  'conversation.cut',
  'conversation.stopped',
  'conversation.renamed',
  'conversation.answered',
  'conversation.deleted',
  'decision.made',
  'attempt.lost',
  'security.conversation_changed',
  'runner.token_created',
  'runner.enrolled',
  'runner.drained',
  'runner.paused',
  'runner.resumed',
  'runner.revoked',
  'runner.changed',
  'runner.account_changed',
  'runner.key_rotation_requested',
  'runner.key_rotated',
  'api_token.created',
  'api_token.revoked',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.deleted',
  'webhook_endpoint.disabled',
  'webhook_endpoint.rotated',
  'webhook_endpoint.tested',
  'webhook_delivery.replayed',
  'webhook_delivery.recovered',
  'notification_channel.created',
  'notification_channel.updated',
  'notification_channel.deleted',
  'notification_channel.disabled',
  'notification_channel.tested',
  'demo.broken',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

type KindOf<Action extends string> = Action extends `${infer Kind}.${string}` ? Kind : never;
/** What an action is about: `runner` of `runner.revoked`. */
export type AuditKind = KindOf<AuditAction>;

export const AUDIT_KINDS: readonly AuditKind[] = [
  ...new Set(AUDIT_ACTIONS.map((action) => action.split('.')[0] as AuditKind)),
];

/** `runner` stands for every action with runners, `runner.revoked` for itself. */
export function actionsOf(wanted: AuditKind | AuditAction): AuditAction[] {
  return AUDIT_ACTIONS.filter((action) => action === wanted || action.startsWith(`${wanted}.`));
}
