import { v7 as uuidv7 } from 'uuid';
import { insertDeliveries } from '@/lib/deliveries/webhooks/deliveries/data';
import { listPeopleOfRoles } from '@/lib/identity/members/people';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import type { Message } from '../message';

const MOST_ADMINS = 20;

/**
 * Writes an e-mail to the admins and owners of the organization; nothing where the installation
 * sends no e-mail.
 *
 * @returns ids of the new deliveries, to ring for after the commit
 */
export async function tellAdmins(
  db: TenantDb,
  organizationId: OrganizationId,
  said: { message: Message; eventType: string; occasion: string },
  now: Date,
): Promise<string[]> {
  if (!env().smtpUrl) return [];
  const people = await listPeopleOfRoles(db, ['owner', 'admin'], MOST_ADMINS);
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
