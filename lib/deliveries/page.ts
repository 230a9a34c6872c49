/** What paging knows of deliveries: which channels there are, and messages to those whom it has chosen. */

import { needOf } from '@/lib/incidents/incident';
import type { ShownIncident } from '@/lib/incidents/incident-rows';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import type { Mailer } from '@/lib/platform/mail';
import { isSuperseding } from './alert';
import { incidentEvent } from './announce-incident';
import { findIncidentState, incidentOf } from './channels/admission-data';
import { type ChannelRow, listChannelRows } from './channels/data';
import { listAnnouncedChannels } from './data';
import { adminMailTransport, mailSending } from './mail';
import { type Message, messageOf } from './message';
import { insertDeliveries } from './outbox/data';
import { listFirstInLine } from './outbox/sending-data';
import type { Transport } from './outbox/transport';
import { PAGED_EVENT } from './paged-event';
import type { Happening } from './schema';

export type PagedChannel = ChannelRow;

/** Of the organization, also those that are off. */
export function listPagedChannels(db: TenantDb): Promise<PagedChannel[]> {
  return listChannelRows(db);
}

/**
 * Returns what a message about an incident says now, the UUIDs of the channels that got one since a time, and whether
 * the installation sends e-mail.
 */
export async function pageFacts(db: TenantDb, incident: ShownIncident, since: Date, now: Date) {
  const notice = needOf(incident) ? 'needs_human' : 'opened';
  const about = await incidentEvent(db, incident, notice, now);
  const subject = about.event.alert?.dedupKey;
  return {
    about,
    announced: subject ? await listAnnouncedChannels(db, subject, since) : [],
    hasMail: env().smtpUrl !== null,
  };
}

interface Page {
  about: Omit<Happening, 'occasion'>;
  /** `step 2 of 2` */
  step: string;
  /** Why it is sent again, in sentences. */
  why: string;
  /** What happened, once for each recipient: `<incident>:<run>:<number>`. */
  occasion: string;
  channels: readonly PagedChannel[];
  /** E-mail addresses of members. */
  mailTo: readonly string[];
}

/**
 * Writes the message about an incident as it is, with why it is sent again, to each channel and address.
 *
 * @returns ids of the deliveries to enqueue after the commit
 */
export async function writePage(
  db: TenantDb,
  { about, step, why, occasion, channels, mailTo }: Page,
  now: Date,
): Promise<string[]> {
  const { event, chainId } = about;
  const { alert, ...message } = messageOf(event);
  const body: Message = {
    ...message,
    title: `${message.title.replace(/ opened$/, ' is open')} (paging ${step})`,
    lines: [...message.lines, why],
    ...(alert ? { alert: { ...alert, description: `${alert.description}\n${why}` } } : {}),
  };
  const shared = {
    ...{ chainId, eventType: PAGED_EVENT, occasion: `${PAGED_EVENT}:${occasion}` },
    subject: event.alert?.dedupKey ?? null,
    sequence: event.alert ? BigInt(event.alert.sequence) : null,
    body: JSON.stringify(body),
  };
  const toChannels = channels.map((channel) => ({
    ...{ ...shared, channelId: channel.id },
    supersedes: event.alert ? channel.alertsOnly && isSuperseding(event.alert) : false,
  }));
  const toMembers = mailTo.map((address) => ({ ...shared, mailTo: [address] }));
  const ids = await insertDeliveries(db, [...toChannels, ...toMembers], now);
  return listFirstInLine(db, ids, now);
}

const FOOTER =
  'You received this message because a paging policy of the organization names you, or its on-call calendar does.';

/** Sends to a member, unless somebody works on the incident or has silenced it by now. */
export function pageMailTransport(mailer: Mailer | null): Transport {
  return {
    ...adminMailTransport(mailer),
    prepare: async (db, delivery) => {
      const id = incidentOf(delivery);
      const incident = id ? await findIncidentState(db, id) : null;
      if (incident?.state !== 'open' || incident.silencedBy) return { kind: 'cancelled' };
      return mailSending(mailer, delivery, delivery.mailTo, FOOTER);
    },
  };
}
