import { describe, expect, it } from 'vitest';
import { approvalFact, requestOfStart } from './start-fact';

const NOW = new Date('2026-11-26T03:00:00Z');

type Approval = Parameters<typeof approvalFact>[0][number];
type Start = Parameters<typeof approvalFact>[1];

const TIER: Approval = {
  kind: 'tier',
  status: 'pending',
  attemptId: 'attempt-1',
  granteeId: 'attempt-1',
  onRefusal: 'resume',
  expiresAt: new Date(NOW.getTime() + 1),
  usedAt: null,
  title: 'The start of tier 2',
  refusal: null,
};
const COMMAND: Approval = { ...TIER, kind: 'command', attemptId: 'attempt-0', title: '`reboot`' };
const START: Start = { attemptId: 'attempt-1', purpose: 'tier', needsApproval: true, earlier: [] };

function fact(approvals: Partial<Approval>[], start: Partial<Start> = {}, base = TIER) {
  const rows = approvals.map((change) => ({ ...base, ...change }));
  return approvalFact(rows, { ...START, ...start }, NOW)?.kind ?? null;
}

describe('[BND-4.1] the start of a tier that needs approval', () => {
  it.each<[string, Partial<Approval>[], Partial<Start>, string | null]>([
    ['was not asked about', [], {}, 'unasked'],
    ['needs none', [], { needsApproval: false }, null],
    ['only observes', [], { purpose: 'reconcile' }, null],
    ['continues after a silence', [], { purpose: 'continue' }, null],
    ['waits', [{}], {}, 'pending'],
    ['was approved', [{ status: 'approved' }], {}, null],
    ['was approved too long ago', [{ status: 'approved', expiresAt: NOW }], {}, 'expired'],
    ['was approved once, and has used that', [{ status: 'approved', usedAt: NOW }], {}, 'unasked'],
    ['was refused', [{ status: 'refused' }], {}, 'refused'],
    ['was not decided in time', [{ expiresAt: NOW }], {}, 'expired'],
    [
      'was approved for another attempt',
      [{ status: 'approved', attemptId: 'other' }],
      {},
      'unasked',
    ],
    [
      'follows a start in which no work began',
      [{ status: 'approved', attemptId: 'attempt-0' }],
      { earlier: [{ id: 'attempt-0', end: 'resume_rejected' }] },
      null,
    ],
    [
      'follows a start in which no work began, and whose approval is used',
      [{ status: 'approved', attemptId: 'attempt-0', usedAt: NOW }],
      { earlier: [{ id: 'attempt-0', end: 'resume_rejected' }] },
      'unasked',
    ],
    [
      'follows a start that waited for the approval of a command',
      [{ status: 'approved', attemptId: 'attempt-0' }],
      { earlier: [{ id: 'attempt-0', end: 'waiting_for_approval' }] },
      'unasked',
    ],
    [
      'follows a start that crashed',
      [{ status: 'approved', attemptId: 'attempt-0' }],
      { earlier: [{ id: 'attempt-0', end: 'crashed' }] },
      'unasked',
    ],
  ])('%s', (_what, approvals, start, expected) => {
    expect(fact(approvals, start)).toBe(expected);
  });
});

describe('[BND-4.2] a conversation that waits for decisions', () => {
  const decided = (approvals: Partial<Approval>[]) =>
    fact(approvals, { purpose: 'approval', needsApproval: false }, COMMAND);

  it.each<[string, Partial<Approval>[], string | null]>([
    ['continues after an approval', [{ status: 'approved' }], null],
    ['continues after a refusal', [{ status: 'refused' }], null],
    ['ends after a refusal, if configured', [{ status: 'refused', onRefusal: 'end' }], 'refused'],
    ['waits for all of its commands', [{ status: 'approved' }, {}], 'pending'],
    ['waits for them after a refusal', [{ status: 'refused' }, {}], 'pending'],
    [
      'ends after a refusal without the other decisions, if configured',
      [{}, { status: 'refused', onRefusal: 'end' }],
      'refused',
    ],
    ['ends if none was decided in time', [{ status: 'expired' }], 'expired'],
    [
      'ends if one was refused and one not decided in time',
      [{ status: 'refused' }, { status: 'expired' }],
      'expired',
    ],
    [
      'runs what was approved, although another was not decided in time',
      [{ status: 'approved' }, { status: 'expired' }],
      null,
    ],
    [
      'ends if its approval has expired, too',
      [{ status: 'approved', expiresAt: NOW }, { status: 'expired' }],
      'expired',
    ],
    ['isn’t kept by what another attempt waits for', [{ granteeId: 'other' }], null],
    ['continues without what was withdrawn', [{ status: 'withdrawn' }], null],
  ])('%s', (_what, approvals, expected) => {
    expect(decided(approvals)).toBe(expected);
  });
});

it('[BND-4.1] a start uses the request that was last made for it, unless that is used', () => {
  const used = { ...TIER, usedAt: NOW };
  const start = { ...START, earlier: [] };
  expect(requestOfStart([{ ...TIER, attemptId: 'other' }, TIER], start)).toBe(TIER);
  expect(requestOfStart([used], start)).toBeNull();
  expect(requestOfStart([COMMAND], start)).toBeNull();
});
