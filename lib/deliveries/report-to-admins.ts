import { recordNotices } from '@/lib/engine/events/notices';
import { listPeopleOfRoles } from '@/lib/identity/members/list-members';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { findFeedProject, listReportingChannels, loadOrganization } from './data';
import type { Message } from './message';
import { insertDeliveries } from './outbox/data';
import { isFor } from './recipients';

/** Something that keeps messages from people. */
interface Fault {
  code: 'WEBHOOK_DISABLED' | 'CHANNEL_DISABLED' | 'PAGING_UNREACHED';
  title: string;
  /** What happened, why, and what to do. */
  message: string;
  /** UUID of the project that it is about; null for the whole organization. */
  projectId: string | null;
  chainId: string | null;
  /** Returns the link for an organization's slug. */
  linkOf(slug: string): NonNullable<Message['link']>;
  occasion: string;
}

/**
 * Reports a fault of deliveries, such as a channel that was disabled: a feed entry, and an e-mail to the admins.
 * If the installation sends no e-mail, other channels report it.
 *
 * @returns ids of the new deliveries
 */
export async function reportToAdmins(
  db: TenantDb,
  { code, title, message, projectId, chainId, linkOf, occasion }: Fault,
  now: Date,
): Promise<string[]> {
  const feedProject = await findFeedProject(db, projectId, chainId);
  if (feedProject) {
    const about = { projectId: feedProject, chainId, sessionId: null };
    recordNotices(db, [{ ...about, level: 'critical', code, message }], now);
  }
  const { slug, name } = await loadOrganization(db);
  const letter = { title: `${name}: ${title}`, lines: [message], link: linkOf(slug) };
  const report: Report = {
    message: { ...letter, tone: 'failure' },
    eventType: code.toLowerCase(),
    occasion,
  };
  return env().smtpUrl ? mailAdmins(db, report, now) : postToChannels(db, report, projectId, now);
}

interface Report {
  message: Message;
  eventType: string;
  occasion: string;
}

const MAX_ADMINS = 20;

/**
 * Writes an e-mail to the admins and owners of the organization.
 *
 * @returns ids of the new deliveries, to enqueue after the commit
 */
async function mailAdmins(db: TenantDb, report: Report, now: Date): Promise<string[]> {
  const people = await listPeopleOfRoles(db, ['owner', 'admin'], MAX_ADMINS);
  if (people.length === 0) return [];
  const { message, ...about } = report;
  const mailTo = people.map((person) => person.email);
  return insertDeliveries(db, [{ ...about, mailTo, body: JSON.stringify(message) }], now);
}

/**
 * Writes a message to the channels that report chains which need a human. A disabled channel isn't
 * among them.
 *
 * @returns ids of the new deliveries, to enqueue after the commit
 */
async function postToChannels(
  db: TenantDb,
  { message, ...about }: Report,
  projectId: string | null,
  now: Date,
): Promise<string[]> {
  const channels = await listReportingChannels(db);
  const body = JSON.stringify(message);
  return insertDeliveries(
    db,
    channels
      .filter((channel) => isFor(channel.projectId, projectId))
      .map((channel) => ({ ...about, channelId: channel.id, body })),
    now,
  );
}
