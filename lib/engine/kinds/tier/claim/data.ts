import { Prisma } from '@/generated/prisma/client';
import { executeRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { StartSpec } from '@/lib/protocol/spec';

export interface Claimed {
  attemptId: string;
  runnerId: string;
  processId: string | null;
  fence: number;
  leaseExpiresAt: Date;
  start: StartSpec;
  sessionId: string;
  mechanism: 'fresh' | 'resume' | 'handoff';
  isFallback: boolean;
  chainId: string;
  tier: number;
}

/** The attempt is its runner's; the session and the chain run. `now` counts where they first do. */
export async function markClaimed(
  db: TenantDb,
  organizationId: OrganizationId,
  claimed: Claimed,
  now: Date,
): Promise<void> {
  const { tier } = claimed;
  await executeRaw(
    db,
    Prisma.sql`with attempt as (
        update attempt set status = 'claimed', runner_id = ${claimed.runnerId}::uuid, fence = ${claimed.fence},
          lease_expires_at = ${claimed.leaseExpiresAt}::timestamptz, claimed_at = ${now}::timestamptz,
          claimed_by_process = ${claimed.processId}::uuid,
          start = ${JSON.stringify(claimed.start)}::jsonb
        where organization_id = ${organizationId}::uuid and id = ${claimed.attemptId}::uuid
      ), session as (
        update session set status = 'running', status_text = '', started_at = coalesce(started_at, ${now}::timestamptz),
          mechanism = ${claimed.mechanism}, is_fallback = ${claimed.isFallback}
        where organization_id = ${organizationId}::uuid and id = ${claimed.sessionId}::uuid
      )
      update chain set status = 'running', status_text = ${`Tier ${tier} is running.`},
        started_at = coalesce(started_at, ${now}::timestamptz), highest_tier = greatest(highest_tier, ${tier})
      where organization_id = ${organizationId}::uuid and id = ${claimed.chainId}::uuid and status <> 'ended'`,
  );
}
