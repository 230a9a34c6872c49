/** A host that passes every guard, and how a row of a table differs from what passes. */
import type {
  Pointer,
  ResumePolicy,
  ResumeRequest,
  Runtime,
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

export interface Change {
  request?: Partial<ResumeRequest>;
  pointer?: Partial<Pointer> | null;
  runtime?: Partial<Runtime>;
  policy?: Partial<ResumePolicy>;
}
