import { recordNotices } from '@/lib/engine/events/notices';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { findFeedProject, loadOrganization } from '../about/data';
import type { Message } from '../message';
import { tellAdmins } from './tell-admins';

export interface DisabledRecipient {
  code: 'WEBHOOK_DISABLED' | 'CHANNEL_DISABLED';
  title: string;
  /** What happened, why, what to do. */
  message: string;
  /** UUID of the project that it was for; null for all. */
  projectId: string | null;
  chainId: string | null;
  /** By the organization's slug. */
  linkOf(slug: string): NonNullable<Message['link']>;
  occasion: string;
}

/**
 * An endpoint or channel was switched off: a line in the feed, and an e-mail to the admins where
 * the installation sends e-mail.
 *
 * @returns ids of the new deliveries
 */
export async function sayDisabled(
  db: TenantDb,
  organizationId: OrganizationId,
  { code, title, message, projectId, chainId, linkOf, occasion }: DisabledRecipient,
  now: Date,
): Promise<string[]> {
  const feedProject = await findFeedProject(db, projectId, chainId);
  if (feedProject) {
    const about = { projectId: feedProject, chainId, sessionId: null };
    await recordNotices(db, organizationId, [{ ...about, level: 'critical', code, message }], now);
  }
  const { slug, name } = await loadOrganization(db);
  const letter = { title: `${name}: ${title}`, lines: [message], link: linkOf(slug) };
  return tellAdmins(
    db,
    organizationId,
    { message: { ...letter, tone: 'failure' }, eventType: code.toLowerCase(), occasion },
    now,
  );
}
