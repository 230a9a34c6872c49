import { v7 as uuidv7 } from 'uuid';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { recordAudit } from '../audit/record-audit';
import { toPauseDto } from '../pauses/schema';
import { scopeOfFounder } from '../tenancy/founder-scope';
import { listMembershipsOfUser, type MembershipOfUser } from '../tenancy/make-scope';
import {
  getOrganizationRow,
  insertOrganization,
  insertOwner,
  isSlugConflict,
  isSlugTaken,
} from './data';
import type { CreateOrganizationInput, OrganizationDto } from './schema';
import { numberedSlug, slugOfName } from './slug';

const SLUG_TRIES = 50;

interface Founder {
  id: string;
  /** How the audit log names them: their e-mail address. */
  label: string;
}

interface Founding {
  name: string;
  isDemo?: boolean;
  /** Runs first in the same transaction; sign-up makes the person here. */
  before?: (db: TenantDb) => Promise<void>;
}

/**
 * Makes an organization with a free slug of its name and the founder as its owner, in one
 * transaction. Throws ConflictError when no slug is free.
 */
export async function foundOrganization(
  founder: Founder,
  { name, isDemo = false, before }: Founding,
): Promise<{ organizationId: string; slug: string }> {
  const wanted = slugOfName(name);
  for (let number = 1; number <= SLUG_TRIES; number += 1) {
    const slug = number === 1 ? wanted : numberedSlug(wanted, number);
    if (await isSlugTaken(slug)) continue;
    const id = uuidv7();
    const scope = scopeOfFounder(founder, { id, slug });
    try {
      await inTransaction(scope, async (db) => {
        await before?.(db);
        await insertOrganization(db, { id, slug, name, isDemo });
        await insertOwner(db, scope, founder.id);
        await recordAudit(db, scope, {
          action: 'organization.created',
          target: encodeId('org', id),
          detail: { after: { name, slug } },
        });
      });
      return { organizationId: id, slug };
    } catch (error) {
      // Someone took the slug between the look and the write.
      if (!isSlugConflict(error)) throw error;
    }
  }
  throw new ConflictError('Too many organizations have this name. Choose another one.');
}

export async function createOrganization(
  founder: Founder,
  input: CreateOrganizationInput,
): Promise<{ slug: string }> {
  const { slug } = await foundOrganization(founder, { name: input.name });
  return { slug };
}

export function getOrganization(scope: TenantScope): Promise<OrganizationDto> {
  return inTransaction(scope, async (db) => {
    const row = await getOrganizationRow(db, scope);
    return {
      id: encodeId('org', row.id),
      slug: row.slug,
      name: row.name,
      isDemo: row.isDemo,
      pausedAt: row.pausedAt?.toISOString() ?? null,
      pause: toPauseDto(row),
    };
  });
}

/** Every organization of the person, by name. */
export function listMine(userId: string): Promise<MembershipOfUser[]> {
  return listMembershipsOfUser(userId);
}
