import { describe, expect, it } from 'vitest';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import { MAX_RESULT_CHARS, sizeOf } from '../fit';
import { linksOf } from '../links';
import { UNTRUSTED_NOTE } from '../untrusted';
import { showApproval } from './approvals';

const links = linksOf('https://tierwatch.test/', 'acme');
const DIGEST = 'a'.repeat(64);

function approval(changes: Partial<ApprovalDto> = {}): ApprovalDto {
  return {
    id: 'apr_1',
    kind: 'command',
    status: 'pending',
    project: { id: 'prj_1', slug: 'shop', name: 'Shop' },
    chain: { id: 'chn_1', number: 5 },
    session: { id: 'ses_1', number: 8, tier: 2 },
    tier: 2,
    argv: ['docker', 'restart', 'web'],
    cwd: '/project',
    files: [],
    services: ['web'],
    rule: 'Bash(docker restart {service})',
    reason: 'web doesn’t answer.',
    runner: { id: 'rnr_1', name: 'host-1' },
    digest: DIGEST,
    requester: null,
    minRole: 'operator',
    peopleNeeded: 1,
    onRefusal: 'end',
    votes: [],
    forbidden: null,
    requestedAt: '2026-11-26T12:00:00.000Z',
    heldUntil: null,
    expiresAt: '2026-11-26T16:00:00.000Z',
    decidedAt: null,
    usedAt: null,
    allowedAgain: null,
    ...changes,
  };
}

const file = { path: 'a.txt', bytes: 1, sha256: 'b'.repeat(64) };

describe('[INC-4.3] the digest of an approval', () => {
  it.each<[string, Partial<ApprovalDto>, string | null]>([
    ['a command that is shown whole', {}, DIGEST],
    ['the start of a tier', { kind: 'tier', argv: null, rule: null, cwd: null }, DIGEST],
    ['as many files as are shown', { files: Array.from({ length: 20 }, () => file) }, DIGEST],
    ['a command that is cut', { argv: ['sh', '-c', 'x'.repeat(5_000)] }, null],
    ['more files than are shown', { files: Array.from({ length: 21 }, () => file) }, null],
    ['a file whose path is cut', { files: [{ ...file, path: 'x'.repeat(201) }] }, null],
    ['a folder whose path is cut', { cwd: `/${'x'.repeat(200)}` }, null],
    ['a decided one', { status: 'approved' }, null],
  ])('of %s', (_, changes, digest) => {
    const shown = showApproval(approval(changes), links);
    expect(shown.digest).toBe(digest);
    const isLong = digest === null && shown.status === 'pending';
    expect(shown.too_long).toBe(
      isLong
        ? 'The request is too long to decide about here. Open https://tierwatch.test/acme/approvals/apr_1'
        : null,
    );
  });

  it('one approval always fits, so that nothing is cut after its digest was added', () => {
    const quotes = (chars: number) => '"'.repeat(chars);
    const largest = approval({
      argv: [quotes(2_400)],
      cwd: quotes(200),
      files: Array.from({ length: 20 }, () => ({ ...file, path: quotes(200) })),
      services: Array.from({ length: 200 }, () => quotes(300)),
      rule: quotes(1_000),
      reason: quotes(4_000),
      runner: { id: 'rnr_1', name: quotes(1_000) },
      requester: quotes(1_000),
      votes: Array.from({ length: 50 }, () => {
        return {
          person: quotes(300),
          verdict: 'approve',
          note: quotes(1_000),
          via: 'api',
          at: 'x',
        };
      }),
    });
    const shown = showApproval(largest, links);
    expect(shown.digest).toBe(DIGEST);
    const result = { note: UNTRUSTED_NOTE, approvals: [shown], next_cursor: 'x'.repeat(500) };
    expect(sizeOf(result)).toBeLessThan(MAX_RESULT_CHARS);
  });

  it('the command is exact, and what can’t be seen is marked', () => {
    const shown = showApproval(
      approval({ argv: ['docker', 'restart', 'web\u202e', 'a "b"'] }),
      links,
    );
    expect(shown.command?.untrusted_text).toBe('["docker","restart","web<U+202E>","a \\"b\\""]');
  });
});
