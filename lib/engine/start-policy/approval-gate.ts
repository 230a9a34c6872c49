import type { StartFacts } from './facts';
import type { ClosedGate } from './gate';

/** Whether people have still to decide about the start, or have decided against it. */
export function approvalGate({
  tier,
  approval,
}: Pick<StartFacts, 'tier' | 'approval'>): ClosedGate | null {
  if (approval === null) return null;
  switch (approval.kind) {
    case 'unasked':
    case 'pending': {
      const title = approval.kind === 'pending' ? approval.title : `The start of tier ${tier}`;
      return {
        code: 'APPROVAL',
        because: `${uncapitalized(title)} waits for approval`,
        remedy: 'Approve or refuse it on the Approvals page.',
        ends: 'passes',
        waitReason: 'approval',
      };
    }
    case 'refused':
      return {
        code: 'APPROVAL_REFUSED',
        because: `${uncapitalized(approval.title)} was refused${approval.refusal === null ? '' : ` (${approval.refusal})`}`,
        remedy: 'Fix it yourself, or allow it again on the Approvals page.',
        ends: 'person',
        waitReason: null,
      };
    case 'expired':
      return {
        code: 'APPROVAL_EXPIRED',
        because: `nobody decided in time about ${uncapitalized(approval.title)}`,
        remedy: 'Fix it yourself, or run the chain again.',
        ends: 'person',
        waitReason: null,
      };
  }
}

function uncapitalized(title: string): string {
  return title.replace(/^The /, 'the ');
}
