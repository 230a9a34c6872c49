import { v7 as uuidv7 } from 'uuid';
import type { TenantDb } from '@/lib/db/tenant-db';
import { env } from '@/lib/env';
import { listPeopleOfRoles } from '@/lib/members/data';
import type { OrganizationId } from '@/lib/tenancy/scope';
import { insertDeliveries } from '@/lib/webhooks/deliveries/data';
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
