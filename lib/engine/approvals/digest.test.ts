import { expect, it } from 'vitest';
import { type ApprovalSubject, approvalDigest } from './digest';

const SUBJECT: ApprovalSubject = {
  organizationId: 'organization-1',
  projectId: 'project-1',
  chainId: 'chain-1',
  sessionId: 'session-1',
  attemptId: 'attempt-1',
  kind: 'command',
  tier: 2,
  runnerId: 'runner-1',
  commandNumber: 1,
  argv: ['docker', 'restart', 'web'],
  cwd: '/project',
  files: [{ path: 'compose.yml', bytes: 3, sha256: 'a' }],
  commandDigest: 'b',
  services: ['web'],
  rule: 'Bash(docker restart {service})',
  reason: 'It hangs.',
};

const CHANGES: Partial<ApprovalSubject>[] = [
  { organizationId: 'x' },
  { projectId: 'x' },
  { chainId: 'x' },
  { sessionId: 'x' },
  { attemptId: 'x' },
  { kind: 'tier' },
  { tier: 3 },
  { runnerId: null },
  { commandNumber: 2 },
  { argv: ['docker', 'restart web'] },
  { argv: null },
  { cwd: '/project/deploy' },
  { files: [] },
  { files: [{ path: 'compose.yml', bytes: 3, sha256: 'c' }] },
  { files: [{ path: 'other.yml', bytes: 3, sha256: 'a' }] },
  { commandDigest: 'x' },
  { services: [] },
  { rule: 'Bash(docker:*)' },
  { reason: 'Trust me.' },
];

it('[BND-4.1] binds a decision to every field of what is decided', () => {
  const digests = [{}, ...CHANGES].map((change) => approvalDigest({ ...SUBJECT, ...change }));
  expect(new Set(digests).size).toBe(CHANGES.length + 1);
  const changed = new Set(CHANGES.flatMap((change) => Object.keys(change)));
  expect(changed).toEqual(new Set(Object.keys(SUBJECT)));
});

it('is the same for the same subject, in whatever order its fields come', () => {
  const reversed = Object.fromEntries(Object.entries(SUBJECT).reverse());
  expect(approvalDigest(reversed as unknown as ApprovalSubject)).toBe(approvalDigest(SUBJECT));
});
