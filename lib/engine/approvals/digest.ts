import { createHash } from 'node:crypto';

/** Everything that a person decides about; for the start of a tier without a command. */
export interface ApprovalSubject {
  organizationId: string;
  projectId: string;
  chainId: string;
  sessionId: string;
  attemptId: string;
  kind: 'command' | 'tier';
  tier: number;
  runnerId: string | null;
  commandNumber: number | null;
  argv: readonly string[] | null;
  cwd: string | null;
  files: readonly { path: string; bytes: number; sha256: string }[];
  commandDigest: string | null;
  services: readonly string[];
  rule: string | null;
  reason: string;
}

/** Returns the SHA-256 of a subject, in hex. Every field counts, in an order of its own. */
export function approvalDigest(subject: ApprovalSubject): string {
  const fields: [string, unknown][] = [
    ['organizationId', subject.organizationId],
    ['projectId', subject.projectId],
    ['chainId', subject.chainId],
    ['sessionId', subject.sessionId],
    ['attemptId', subject.attemptId],
    ['kind', subject.kind],
    ['tier', subject.tier],
    ['runnerId', subject.runnerId],
    ['commandNumber', subject.commandNumber],
    ['argv', subject.argv],
    ['cwd', subject.cwd],
    ['files', subject.files.map(({ path, bytes, sha256 }) => [path, bytes, sha256])],
    ['commandDigest', subject.commandDigest],
    ['services', subject.services],
    ['rule', subject.rule],
    ['reason', subject.reason],
  ];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
