import { describe, expect, it } from 'vitest';
import {
  type AskedCommand,
  type CommandApproval,
  isRefusedByPerson,
  judgeCommand,
  MAX_OF_SESSION,
  MAX_PENDING,
  MAX_WITHDRAWN,
} from './judge';

const NOW = new Date('2026-11-26T03:00:00Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

const COMMAND: AskedCommand = {
  attemptId: 'attempt-1',
  number: 3,
  digest: 'digest-a',
  runnerId: 'runner-1',
};

const OWN: CommandApproval = {
  id: 'approval-1',
  attemptId: 'attempt-1',
  commandNumber: 3,
  status: 'pending',
  runnerId: 'runner-1',
  commandDigest: 'digest-a',
  heldUntil: at(60),
  expiresAt: at(3_600),
  granteeId: 'attempt-1',
  usedNumber: null,
  decidedAt: null,
  allowedAgainAt: null,
  onRefusal: 'resume',
  refusal: null,
};

/** Asked for by the attempt before, which ended, and given to this one. */
const GIVEN: CommandApproval = {
  ...OWN,
  attemptId: 'attempt-0',
  commandNumber: 1,
  status: 'approved',
  granteeId: 'attempt-1',
};

function judge(approvals: CommandApproval[], change: Partial<AskedCommand> = {}, now = NOW) {
  const judged = judgeCommand(approvals, { ...COMMAND, ...change }, now);
  return judged.kind === 'refused' ? judged.code : judged.kind;
}

describe('a command that needs approval', () => {
  it('[BND-4.1] is asked about once', () => {
    expect(judge([])).toBe('ask');
    expect(judge([OWN])).toBe('waiting');
  });

  it('[BND-4.2] is held for a while, and then its process ends', () => {
    const held = (now: Date) => judgeCommand([OWN], COMMAND, now);
    expect(held(at(59))).toMatchObject({ kind: 'waiting', isHeld: true });
    expect(held(at(60))).toMatchObject({ kind: 'waiting', isHeld: false });
    expect(judge([OWN], {}, at(3_600))).toBe('approval_expired');
  });

  it.each<[string, Partial<CommandApproval>, string]>([
    ['approved', { status: 'approved' }, 'use'],
    ['approved and used by the same request', { status: 'approved', usedNumber: 3 }, 'use'],
    ['approved and used', { status: 'approved', usedNumber: 2 }, 'approval_expired'],
    ['approved too long ago', { status: 'approved', expiresAt: NOW }, 'approval_expired'],
    ['refused', { status: 'refused' }, 'approval_refused'],
    ['refused, which ends the chain', { status: 'refused', onRefusal: 'end' }, 'ends'],
    [
      'refused, and allowed again before the chain ended',
      { status: 'refused', onRefusal: 'end', allowedAgainAt: NOW },
      'approval_refused',
    ],
    ['expired', { status: 'expired' }, 'approval_expired'],
    ['withdrawn', { status: 'withdrawn' }, 'approval_withdrawn'],
    [
      'given to another attempt',
      { status: 'approved', granteeId: 'attempt-2' },
      'approval_expired',
    ],
    [
      'for another command',
      { status: 'approved', commandDigest: 'digest-b' },
      'approval_withdrawn',
    ],
    ['of another host', { status: 'approved', runnerId: 'runner-2' }, 'approval_withdrawn'],
  ])('whose own request is %s', (_what, change, expected) => {
    expect(judge([{ ...OWN, ...change }])).toBe(expected);
  });

  it.each<[string, Partial<CommandApproval>[], boolean]>([
    ['refused', [{ status: 'refused' }], true],
    ['refused, which ends the chain', [{ status: 'refused', onRefusal: 'end' }], true],
    ['expired', [{ status: 'expired' }], false],
    ['withdrawn', [{ status: 'withdrawn' }], false],
    ['pending', [{}], false],
    ['approved', [{ status: 'approved' }], false],
    ['not requested', [], false],
  ])('[BND-4.2] that is %s was refused by a person or not', (_what, changes, expected) => {
    const rows = changes.map((change) => ({ ...OWN, ...change }));
    expect(isRefusedByPerson(judgeCommand(rows, COMMAND, NOW))).toBe(expected);
  });

  it.each<[string, Partial<CommandApproval>, Partial<AskedCommand>, string]>([
    ['the same command', {}, {}, 'use'],
    ['the same request again', { usedNumber: 3 }, {}, 'use'],
    ['a second use', { usedNumber: 2 }, {}, 'ask'],
    ['another argv', {}, { digest: 'digest-b' }, 'ask'],
    ['another attempt', {}, { attemptId: 'attempt-2' }, 'ask'],
    ['another host', {}, { runnerId: 'runner-2' }, 'ask'],
    ['a grant that has expired', { expiresAt: NOW }, {}, 'ask'],
    ['a grant that nobody has given yet', { status: 'pending' }, {}, 'ask'],
  ])('[BND-4.4] after the decision, of %s', (_what, change, asked, expected) => {
    expect(judge([{ ...GIVEN, ...change }], asked)).toBe(expected);
  });

  it('is refused while many of its agent wait', () => {
    const many = Array.from({ length: MAX_PENDING }, (_, index) => ({
      ...OWN,
      id: `approval-${index}`,
      commandNumber: 10 + index,
    }));
    expect(judge(many)).toBe('too_many_approvals');
    expect(judge(many.slice(1))).toBe('ask');
  });

  it('is refused once its session has requested many, or its agent didn’t wait several times', () => {
    const times = (count: number, change: Partial<CommandApproval>) =>
      Array.from({ length: count }, (_, index) => ({
        ...OWN,
        ...change,
        id: `approval-${index}`,
        commandNumber: 10 + index,
      }));
    const others = { status: 'expired', commandDigest: 'digest-b' } as const;
    expect(judge(times(MAX_OF_SESSION - 1, others))).toBe('ask');
    expect(judge(times(MAX_OF_SESSION, others))).toBe('too_many_approvals');
    expect(judge(times(MAX_WITHDRAWN - 1, { status: 'withdrawn' }))).toBe('ask');
    expect(judge(times(MAX_WITHDRAWN, { status: 'withdrawn' }))).toBe('too_many_approvals');
  });
});
