/**
 * Everything that the audit log can say, with its words: a sentence without its subject. Past tense;
 * a new action is added here alone.
 */
export const AUDIT_ACTION_WORDS = {
  'organization.created': 'Created the organization',
  'organization.paused': 'Paused the organization',
  'organization.resumed': 'Resumed the organization',
  'organization.changed': 'Changed the organization’s name or address',
  'organization.checklist_dismissed': 'Dismissed the checklist “Get started”',
  'organization.deleted': 'Deleted the organization',
  'invitation.created': 'Invited someone',
  'invitation.resent': 'Sent a new invitation link',
  'invitation.revoked': 'Revoked an invitation',
  'member.joined': 'Joined by invitation',
  'member.role_changed': 'Changed a member’s role',
  'member.removed': 'Removed a member',
  'member.left': 'Left the organization',
  'project.created': 'Created a project',
  'project.saved': 'Saved a project',
  'project.paused': 'Paused a project',
  'project.resumed': 'Resumed a project',
  'project.deleted': 'Deleted a project',
  'tier.paused': 'Paused a tier',
  'tier.resumed': 'Resumed a tier',
  'service.snoozed': 'Snoozed a service',
  'service.woken': 'Ended a snooze',
  'chain.started': 'Started a chain',
  'chain.stop_requested': 'Requested a stop of a chain',
  'chain.acknowledged': 'Acknowledged a chain',
  'chain.acknowledgement_ended': 'Removed an acknowledgement',
  'chain.ended': 'Ended a chain',
  'session.checkpoint_requested': 'Requested a checkpoint',
  'session.discarded': 'Discarded the checkpoints of a session',
  'conversation.started': 'Started a conversation',
  'conversation.asked': 'Asked a follow-up question',
  'conversation.edited': 'Edited a message and sent it again',
  'conversation.retried': 'Asked the same question again',
  'conversation.cut': 'Removed messages from a conversation',
  'conversation.stopped': 'Stopped an answer',
  'conversation.renamed': 'Renamed a conversation',
  'conversation.answered': 'Answered the agent’s question',
  'conversation.deleted': 'Deleted a conversation',
  'decision.made': 'Chose how a session starts',
  'attempt.lost': 'Marked an attempt lost',
  'security.conversation_changed': 'Detected a modified conversation',
  'runner.token_created': 'Created a runner token',
  'runner.enrolled': 'Enrolled a runner',
  'runner.drained': 'Drained a runner',
  'runner.paused': 'Paused a runner',
  'runner.resumed': 'Resumed a runner',
  'runner.revoked': 'Revoked a runner',
  'runner.changed': 'Changed a runner’s tiers or slots',
  'runner.account_changed': 'Changed the provider account of a runner',
  'runner.key_rotation_requested': 'Requested a new runner key',
  'runner.key_rotated': 'Rotated a runner’s key',
  'api_token.created': 'Created an API token',
  'api_token.revoked': 'Revoked an API token',
  'webhook_endpoint.created': 'Added a webhook endpoint',
  'webhook_endpoint.updated': 'Changed a webhook endpoint',
  'webhook_endpoint.deleted': 'Deleted a webhook endpoint',
  'webhook_endpoint.disabled': 'Disabled a failing webhook endpoint',
  'webhook_endpoint.rotated': 'Rotated a signing secret',
  'webhook_endpoint.tested': 'Sent a test event',
  'webhook_delivery.replayed': 'Replayed a delivery',
  'webhook_delivery.recovered': 'Recovered failed deliveries',
  'notification_channel.created': 'Added a notification channel',
  'notification_channel.updated': 'Changed a notification channel',
  'notification_channel.deleted': 'Deleted a notification channel',
  'notification_channel.disabled': 'Disabled a failing notification channel',
  'notification_channel.tested': 'Sent a test message',
  'demo.broken': 'Broke the demo service',
} as const;
export type AuditAction = keyof typeof AUDIT_ACTION_WORDS;
export const AUDIT_ACTIONS = Object.keys(AUDIT_ACTION_WORDS) as AuditAction[];

type KindOf<Action extends string> = Action extends `${infer Kind}.${string}` ? Kind : never;
/** What an action is about: `runner` of `runner.revoked`. */
export type AuditKind = KindOf<AuditAction>;

/** A kind as in "All about runners". */
export const AUDIT_KIND_WORDS: Record<AuditKind, string> = {
  organization: 'the organization',
  invitation: 'invitations',
  member: 'members',
  project: 'projects',
  tier: 'tiers',
  service: 'services',
  chain: 'chains',
  session: 'sessions',
  conversation: 'conversations',
  decision: 'decisions',
  attempt: 'attempts',
  security: 'security',
  runner: 'runners',
  api_token: 'API tokens',
  webhook_endpoint: 'webhook endpoints',
  webhook_delivery: 'webhook deliveries',
  notification_channel: 'notification channels',
  demo: 'the demo',
};

export const AUDIT_KINDS: readonly AuditKind[] = [
  ...new Set(AUDIT_ACTIONS.map((action) => action.split('.')[0] as AuditKind)),
];

/** `runner` means every action with runners, `runner.revoked` just that one. */
export function actionsOf(wanted: AuditKind | AuditAction): AuditAction[] {
  return AUDIT_ACTIONS.filter((action) => action === wanted || action.startsWith(`${wanted}.`));
}
