import { describe, expect, it } from 'vitest';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import { aftermath, approvalEffect, refusalEffect } from './approval-words';

const NOW = new Date('2026-11-21T14:58:00Z');

function approval(changes: Partial<ApprovalDto>): ApprovalDto {
  return {
    id: 'apr_1',
    kind: 'command',
    status: 'approved',
    project: { id: 'prj_1', slug: 'checkout', name: 'Checkout' },
    chain: { id: 'chn_1', number: 12 },
    session: { id: 'ses_1', number: 19, tier: 2 },
    tier: 2,
    argv: ['docker', 'restart', 'web'],
    cwd: '/project',
    files: [],
    services: ['web'],
    rule: 'Bash(docker restart {service})',
    reason: '',
    runner: { id: 'rnr_1', name: 'eu-1' },
    digest: 'a'.repeat(64),
    requester: null,
    minRole: 'operator',
    peopleNeeded: 1,
    onRefusal: 'resume',
    votes: [],
    forbidden: null,
    requestedAt: '2026-11-21T14:50:00.000Z',
    heldUntil: null,
    expiresAt: '2026-11-21T18:50:00.000Z',
    decidedAt: null,
    usedAt: null,
    allowedAgain: null,
    ...changes,
  };
}

const tier = { kind: 'tier', argv: null, runner: null } as const;

describe('[BND-4.3] what a decision leads to', () => {
  it.each([
    [{}, 'The command runs once, with exactly these arguments and files, on eu-1.'],
    [tier, 'Tier 2 starts once.'],
  ])('an approval of %j', (changes, text) => {
    expect(approvalEffect(approval(changes))).toBe(text);
  });

  it.each([
    [{}, 'The agent continues without this command.'],
    [{ onRefusal: 'end' as const }, 'The chain ends and needs a human.'],
    [tier, 'Tier 2 doesn’t start, and the chain needs a human.'],
  ])('a refusal of %j', (changes, text) => {
    expect(refusalEffect(approval(changes))).toBe(text);
  });
});

describe('[BND-4.3] the outcome of a request', () => {
  it.each([
    [{ status: 'pending' as const }, null],
    [{ usedAt: '2026-11-21T14:55:00.000Z' }, null],
    [{}, 'Not used yet. Only the agent that requested it can use it, once.'],
    [{ expiresAt: '2026-11-21T14:57:00.000Z' }, 'The approval expired before the agent used it.'],
    [tier, 'Tier 2 may start once. Its session shows whether it did.'],
    [{ status: 'expired' as const }, 'Nobody decided in time, so it didn’t happen.'],
    [
      { status: 'withdrawn' as const },
      'The agent or its chain ended before anyone decided, so it didn’t happen.',
    ],
    [
      { status: 'refused' as const, onRefusal: 'end' as const },
      'The chain ends and needs a human. It stays refused in every tier and chain of the incident, in any spelling, until someone allows it again.',
    ],
    [
      { ...tier, status: 'refused' as const, allowedAgain: { person: 'bo@x.example', at: '' } },
      'Tier 2 doesn’t start, and the chain needs a human. bo@x.example has allowed it again since.',
    ],
  ])('of %j', (changes, text) => {
    expect(aftermath(approval(changes), NOW)).toBe(text);
  });
});
