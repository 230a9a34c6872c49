import { describe, expect, it } from 'vitest';
import { countVote, whyNotAllowedAgain } from './vote';

const NOW = new Date('2026-11-26T03:00:00Z');

type Approval = Parameters<typeof countVote>[0];
type Ballot = Parameters<typeof countVote>[1];

const APPROVAL: Approval = {
  status: 'pending',
  digest: 'digest-a',
  expiresAt: new Date(NOW.getTime() + 1),
  minRole: 'operator',
  peopleNeeded: 1,
  requester: 'ana@x.example',
  votes: [],
};
const BALLOT: Ballot = {
  person: 'bo@x.example',
  role: 'operator',
  verdict: 'approve',
  digest: 'digest-a',
};

function vote(approval: Partial<Approval>, ballot: Partial<Ballot> = {}) {
  const outcome = countVote({ ...APPROVAL, ...approval }, { ...BALLOT, ...ballot }, NOW);
  return outcome.kind === 'counted' ? outcome.status : outcome.kind;
}

describe('[BND-4.1] a decision about an approval', () => {
  it.each<[string, Partial<Approval>, Partial<Ballot>, string]>([
    ['approves', {}, {}, 'approved'],
    ['refuses', {}, { verdict: 'refuse' }, 'refused'],
    ['of an owner counts', { minRole: 'admin' }, { role: 'owner' }, 'approved'],
    ['of a viewer doesn’t', {}, { role: 'viewer' }, 'forbidden'],
    ['of an operator doesn’t where an admin has to', { minRole: 'admin' }, {}, 'forbidden'],
    ['of somebody who was removed doesn’t', {}, { role: null }, 'forbidden'],
    ['of a token without a person doesn’t', {}, { person: null }, 'forbidden'],
    ['of the person who started the chain doesn’t', {}, { person: 'ana@x.example' }, 'forbidden'],
    ['counts where nobody started the chain', { requester: null }, {}, 'approved'],
    ['of the first of two is not enough', { peopleNeeded: 2 }, {}, 'pending'],
    [
      'of the second of two is',
      { peopleNeeded: 2, votes: [{ person: 'cy@x.example', verdict: 'approve' }] },
      {},
      'approved',
    ],
    [
      'of one person counts once',
      { peopleNeeded: 2, votes: [{ person: 'bo@x.example', verdict: 'approve' }] },
      {},
      'conflict',
    ],
    [
      'of one who refuses is enough',
      { peopleNeeded: 2, votes: [{ person: 'cy@x.example', verdict: 'approve' }] },
      { verdict: 'refuse' },
      'refused',
    ],
    ['about something else than was shown doesn’t count', {}, { digest: 'digest-b' }, 'conflict'],
    ['comes too late', { expiresAt: NOW }, {}, 'conflict'],
    ['after another one', { status: 'approved' }, {}, 'conflict'],
    ['after a refusal', { status: 'refused' }, {}, 'conflict'],
    ['that nobody waits for', { status: 'withdrawn' }, {}, 'conflict'],
    ['after the sweep', { status: 'expired' }, {}, 'conflict'],
  ])('%s', (_what, approval, ballot, expected) => {
    expect(vote(approval, ballot)).toBe(expected);
  });
});

describe('[HLD-4.3] a refusal', () => {
  const refused = {
    ...APPROVAL,
    status: 'refused' as const,
    allowedAgainAt: null as Date | null,
  };

  it.each<[string, Partial<typeof refused>, Partial<Ballot>, string]>([
    ['is taken back by who may decide', {}, {}, 'allowed'],
    ['isn’t by a viewer', {}, { role: 'viewer' }, 'forbidden'],
    ['isn’t by an operator where an admin decides', { minRole: 'admin' }, {}, 'forbidden'],
    ['isn’t by the person who started the chain', {}, { person: 'ana@x.example' }, 'forbidden'],
    ['isn’t by a token without a person', {}, { person: null }, 'forbidden'],
    ['isn’t by somebody who was removed', {}, { role: null }, 'forbidden'],
    ['isn’t with the digest of another request', {}, { digest: 'digest-b' }, 'conflict'],
    ['isn’t twice', { allowedAgainAt: NOW }, {}, 'conflict'],
  ])('%s', (_what, approval, ballot, expected) => {
    const outcome = whyNotAllowedAgain({ ...refused, ...approval }, { ...BALLOT, ...ballot });
    expect(outcome?.kind ?? 'allowed').toBe(expected);
  });

  it.each(['pending', 'approved', 'expired', 'withdrawn'] as const)(
    'that doesn’t exist isn’t taken back: the request is %s',
    (status) => {
      expect(whyNotAllowedAgain({ ...APPROVAL, status, allowedAgainAt: null }, BALLOT)?.kind).toBe(
        'conflict',
      );
    },
  );

  it('is not taken back by an approval that came a moment too late', () => {
    expect(vote({ status: 'refused' })).toBe('conflict');
  });
});
