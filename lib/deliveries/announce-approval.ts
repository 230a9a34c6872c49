/** Writes the messages about an approval, in the transaction in which it is requested or decided. */
import { approvalTitle, storedArgv } from '@/lib/engine/approvals/words';
import {
  approvalKindSchema,
  approvalStatusSchema,
  approvalVerdictSchema,
} from '@/lib/engine/statuses';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { formatMoment } from '@/lib/platform/format/time';
import { encodeId } from '@/lib/platform/ids';
import { announce } from './announce';
import { loadSubject } from './data';
import type { WebhookEvent } from './schema';

type ApprovalEventType = 'approval.requested' | 'approval.decided' | 'approval.expired';

/** Returns what announces one kind of event about an approval. Its id is a UUID. */
export function announceApproval(type: ApprovalEventType) {
  return async (
    db: TenantDb,
    { approvalId }: { approvalId: string },
    now: Date,
  ): Promise<string[]> => {
    const approval = await db.approval.findFirstOrThrow({
      where: { id: approvalId },
      include: { votes: { orderBy: { votedAt: 'asc' } } },
    });
    const { projectId, chainId } = approval;
    const { organization, project, chain } = await loadSubject(db, projectId, chainId);
    if (chain === null) throw new Error('An approval always has a chain.');
    const id = encodeId('apr', approval.id);
    const votes = approval.votes.map(({ person, verdict }) => {
      return { person, verdict: approvalVerdictSchema.parse(verdict) };
    });
    const status = approvalStatusSchema.parse(approval.status);
    const title = approvalTitle(approval);
    const event: WebhookEvent = {
      type,
      timestamp: now.toISOString(),
      data: {
        organization,
        project,
        summary: SUMMARIES[type]({
          title,
          status,
          by: votes.map(({ person }) => person).join(' and '),
          until: `${formatMoment(approval.expiresAt, now, 'UTC')} UTC`,
        }),
        link: `${env().publicUrl}/${organization.slug}/approvals/${id}`,
        chain,
        approval: {
          id,
          kind: approvalKindSchema.parse(approval.kind),
          status,
          tier: approval.tier,
          argv: storedArgv(approval.argv),
          services: approval.services,
          reason: approval.reason,
          digest: approval.digest,
          expiresAt: approval.expiresAt.toISOString(),
          votes,
        },
      },
    };
    const occasion = `${type}:${approvalId}`;
    return announce(db, [{ event, projectId, chainId, occasion }], now);
  };
}

interface SummaryFacts {
  title: string;
  status: string;
  /** Who has decided. */
  by: string;
  until: string;
}

const SUMMARIES: Record<ApprovalEventType, (facts: SummaryFacts) => string> = {
  'approval.requested': ({ title, until }) =>
    `${title} waits for approval until ${until}. Sign in to decide.`,
  'approval.decided': ({ title, status, by }) => `${title} was ${status} by ${by}.`,
  'approval.expired': ({ title }) =>
    `Nobody decided about ${title.replace(/^The /, 'the ')} in time, so it doesn’t happen.`,
};
