/** A host and a policy that pass every guard, and how a row of a table differs from what passes. */
import {
  DEFAULT_RESUME_POLICY,
  type Pointer,
  type ResumePolicy,
  type ResumeRequest,
  type Runtime,
} from '@/lib/engine/continuation/schema';

export const RUNTIME: Runtime = {
  runnerId: 'eu-1',
  isOwnerReachable: true,
  ownerCliVersion: '2.1.197',
  canResume: true,
  fingerprint: 'abc',
  cliVersion: '2.1.197',
  authPrincipal: 'key-1',
  contextWindow: 200_000,
};

export const POLICY: ResumePolicy = {
  ...DEFAULT_RESUME_POLICY,
  smallestWindow: 200_000,
  provenEdges: [
    ['haiku', 'sonnet'],
    ['sonnet', 'opus'],
  ],
};

export interface Change {
  request?: Partial<ResumeRequest>;
  pointer?: Partial<Pointer> | null;
  runtime?: Partial<Runtime>;
  policy?: Partial<ResumePolicy>;
}
