import { v7 as uuidv7 } from 'uuid';
import { recordNotices } from '@/lib/engine/events/notices';
import { listPeopleOfRoles } from '@/lib/identity/members/list-members';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { findFeedProject, loadOrganization } from './data';
import type { Message } from './message';
import { insertDeliveries } from './outbox/data';

interface DisabledRecipient {
  code: 'WEBHOOK_DISABLED' | 'CHANNEL_DISABLED';
  title: string;
  /** What happened, why, and what to do. */
  message: string;
  /** UUID of the recipient's project; null for the whole organization. */
  projectId: string | null;
  chainId: string | null;
  /** Returns the link for an organization's slug. */
  linkOf(slug: string): NonNullable<Message['link']>;
  occasion: string;
}

/**
 * Reports that an endpoint or channel was disabled: a feed entry, and an e-mail to the admins if
 * the installation sends e-mail.
 *
 * @returns ids of the new deliveries
 */
export async function notifyDisabled(
  db: TenantDb,
  organizationId: OrganizationId,
  { code, title, message, projectId, chainId, linkOf, occasion }: DisabledRecipient,
  now: Date,
): Promise<string[]> {
  const feedProject = await findFeedProject(db, projectId, chainId);
  if (feedProject) {
    const about = { projectId: feedProject, chainId, sessionId: null };
    recordNotices(db, organizationId, [{ ...about, level: 'critical', code, message }], now);
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

const MAX_ADMINS = 20;

/**
 * Writes an e-mail to the admins and owners of the organization, if the installation sends e-mail.
 *
 * @returns ids of the new deliveries, to enqueue after the commit
 */
async function tellAdmins(
  db: TenantDb,
  organizationId: OrganizationId,
  said: { message: Message; eventType: string; occasion: string },
  now: Date,
): Promise<string[]> {
  if (!env().smtpUrl) return [];
  const people = await listPeopleOfRoles(db, ['owner', 'admin'], MAX_ADMINS);
  if (people.length === 0) return [];
  return insertDeliveries(db, organizationId, [
    {
      id: uuidv7(),
      mailTo: people.map((person) => person.email),
      chainId: null,
      eventType: said.eventType,
      occasion: said.occasion,
      body: JSON.stringify(said.message),
      nextAttemptAt: now,
      createdAt: now,
    },
  ]);
}
