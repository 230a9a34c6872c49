import type { AuditAction } from '@/lib/audit/actions';

const WORDS: Record<AuditAction, string> = {
  'organization.created': 'Created the organization',
  'organization.paused': 'Paused the organization',
  'organization.resumed': 'Resumed the organization',
  'project.created': 'Created a project',
  'project.saved': 'Saved a project',
  'project.paused': 'Paused a project',
  'project.resumed': 'Resumed a project',
  'project.deleted': 'Deleted a project',
  'service.snoozed': 'Snoozed a service',
  'service.woken': 'Ended a snooze',
  'chain.started': 'Started a chain',
  'chain.stop_requested': 'Asked a chain to stop',
  'chain.acknowledged': 'Acknowledged a chain',
  'chain.ended': 'Ended a chain',
  'decision.made': 'Decided how a session starts',
  'attempt.lost': 'Marked an attempt lost',
  'runner.token_created': 'Created a runner token',
  'runner.enrolled': 'Enrolled a runner',
  'runner.drained': 'Drained a runner',
  'runner.resumed': 'Let a runner take work again',
  'runner.revoked': 'Revoked a runner',
  'api_token.created': 'Created an API token',
  'api_token.revoked': 'Revoked an API token',
  'webhook_endpoint.created': 'Added a webhook endpoint',
  'webhook_endpoint.updated': 'Changed a webhook endpoint',
  'webhook_endpoint.deleted': 'Deleted a webhook endpoint',
  'webhook_endpoint.disabled': 'Disabled a failing webhook endpoint',
  'webhook_endpoint.rotated': 'Rotated a signing secret',
  'webhook_endpoint.tested': 'Sent a test event',
  'webhook_delivery.replayed': 'Replayed a delivery',
  'demo.broken': 'Broke the demo service',
};

/** What was done, as a sentence without its subject; an action of a newer version as its code. */
export function actionWords(action: string): string {
  return (WORDS as Record<string, string>)[action] ?? action;
}
