import { settleAttempt as settle } from '@/lib/engine/settle';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';

export function settleAttempt(payload: {
  organizationId: string;
  attemptId: string;
}): Promise<void> {
  return settle(scopeOfSystem(payload.organizationId), payload.attemptId);
}
