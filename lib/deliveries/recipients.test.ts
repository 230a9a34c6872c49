import { describe, expect, it } from 'vitest';
import { isSubscribed } from './recipients';
import type { WebhookEvent } from './schema';

const channel = {
  projectId: null as string | null,
  outcomes: ['needs_human'],
  eventTypes: ['runner.offline'],
  alertsOnly: false,
};
const ended = (outcome: string, type = 'chain.completed') =>
  ({ type, data: { chain: { outcome } } }) as unknown as WebhookEvent;
const alerting = (event: WebhookEvent) => ({ ...event, alert: {} }) as WebhookEvent;
const pager = { ...channel, alertsOnly: true };
const requested = { type: 'approval.requested' } as WebhookEvent;
const follower = { ...channel, outcomes: [], eventTypes: ['incident.verifying'] };
const unverified = { type: 'incident.verification_failed' } as WebhookEvent;
const offline = { type: 'runner.offline' } as WebhookEvent;
const merged = alerting({ type: 'incident.merged' } as WebhookEvent);
const END = { outcomes: [], eventTypes: ['incident.resolved'] };

describe('a channel is subscribed to', () => {
  it.each([
    ['its outcomes', channel, ended('needs_human'), 'p1', true],
    ['no other outcome', channel, ended('healthy'), 'p1', false],
    ['one end only once', channel, ended('needs_human', 'chain.needs_human'), 'p1', false],
    ['its event types', channel, offline, null, true],
    ['no other event type', channel, { type: 'chain.started' } as WebhookEvent, 'p1', false],
    ['its project', { ...channel, projectId: 'p1' }, ended('needs_human'), 'p1', true],
    ['no other project', { ...channel, projectId: 'p1' }, ended('needs_human'), 'p2', false],
    ['alerts', pager, alerting(ended('needs_human')), 'p1', true],
    ['no notice, if it only receives alerts', pager, offline, null, false],
    ['no approval, if it only receives alerts', pager, requested, 'p1', false],
    ['approvals, with chains that need a human', channel, requested, 'p1', true],
    ['no merge, which people see on the page', { ...channel, ...END }, merged, 'p1', false],
    ['a merge, if it keeps an alert', pager, merged, 'p1', true],
    ['a merge, if it keeps alerts of incidents alone', { ...pager, ...END }, merged, 'p1', true],
    ['no merge of what it doesn’t keep', { ...pager, outcomes: [] }, merged, 'p1', false],
    ['a failed verification, with verifications', follower, unverified, 'p1', true],
    ['no failed verification without', channel, unverified, 'p1', false],
    ['what is about all projects', { ...channel, projectId: 'p1' }, offline, null, true],
  ])('%s', (_what, routes, event, projectId, isHeard) => {
    expect(isSubscribed(routes, event, projectId)).toBe(isHeard);
  });
});
