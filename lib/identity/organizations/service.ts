import { v7 as uuidv7 } from 'uuid';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { ConflictError, InvalidError, PreconditionFailedError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { recordAudit } from '../audit/record-audit';
import {
  endPausesInTurn,
  NOT_PAUSED,
  type PauseColumns,
  type PauseInput,
  pausedColumns,
  toPauseDto,
} from '../pauses';
import {
  listMembershipsOfUser,
  type MembershipOfUser,
  scopeOfFounder,
  scopeOfSystem,
} from '../tenancy/make-scope';
import { requireRecentProofOf } from '../tenancy/recent-proof';
import { requireMay } from '../tenancy/role-matrix';
import {
  countDeleted,
  deleteOrganizationRow,
  endOrganizationPause,
  findAnyLiveChain,
  findOrganizationBySlug,
  getOrganizationRow,
  insertOrganization,
  insertOwner,
  isSlugConflict,
  isSlugTaken,
  listEndedOrganizationPauses,
  setChecklistDismissed,
  setOrganizationPause,
  updateOrganization,
} from './data';
import type {
  ChangeOrganizationInput,
  CreateOrganizationInput,
  DeleteOrganizationInput,
  OrganizationDto,
} from './schema';
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
        await insertOwner(db, founder.id);
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
    const row = await getOrganizationRow(db);
    return {
      id: encodeId('org', row.id),
      slug: row.slug,
      name: row.name,
      isDemo: row.isDemo,
      pausedAt: row.pausedAt?.toISOString() ?? null,
      pause: toPauseDto(row),
      deniedCliVersions: row.deniedCliVersions,
      installationDeniedCliVersions: env().deniedCliVersions,
      logRetentionDays: row.logRetentionDays,
      requiresSecondFactor: row.requiresSecondFactor,
    };
  });
}

/** Returns every organization of the person, by name. */
export function listMine(userId: string): Promise<MembershipOfUser[]> {
  return listMembershipsOfUser(userId);
}

/** Returns the scope in which someone on the machine creates an organization's first token. */
export async function findScopeBySlug(slug: string): Promise<TenantScope | null> {
  const organization = await findOrganizationBySlug(slug);
  return organization && scopeOfSystem(organization.id, 'Command line');
}

/** Throws InvalidError at the field when another organization has the slug. */
export async function changeOrganization(
  scope: TenantScope,
  input: ChangeOrganizationInput,
): Promise<OrganizationDto> {
  requireMay(scope, 'organization.change');
  try {
    await inTransaction(scope, async (db) => {
      const row = await getOrganizationRow(db);
      const { name, slug, deniedCliVersions, logRetentionDays } = row;
      const before = { name, slug, deniedCliVersions, logRetentionDays };
      const after = {
        name: input.name ?? name,
        slug: input.slug ?? slug,
        deniedCliVersions: input.deniedCliVersions ?? deniedCliVersions,
        logRetentionDays: input.logRetentionDays ?? logRetentionDays,
      };
      if (JSON.stringify(after) === JSON.stringify(before)) return;
      if (after.slug !== slug && (await isSlugTaken(after.slug))) throw slugTaken();
      await updateOrganization(db, after);
      await recordAudit(db, scope, {
        action: 'organization.changed',
        target: encodeId('org', scope.organizationId),
        detail: { before, after },
      });
    });
  } catch (error) {
    // Someone took the slug between the look and the write.
    throw isSlugConflict(error) ? slugTaken() : error;
  }
  return getOrganization(scope);
}

function slugTaken(): InvalidError {
  const message = 'This short name is used by another organization. Choose a different one.';
  return new InvalidError(message, { slug: message });
}

/**
 * Pauses the organization: nothing starts until it is resumed or the pause ends; running chains
 * continue. Repeating it changes nothing.
 */
export async function pauseOrganization(
  scope: TenantScope,
  pause: PauseInput,
  now = new Date(),
): Promise<OrganizationDto> {
  return setPause(scope, pausedColumns(scope, pause, now));
}

export async function resumeOrganization(scope: TenantScope): Promise<OrganizationDto> {
  return setPause(scope, NOT_PAUSED);
}

async function setPause(scope: TenantScope, columns: PauseColumns): Promise<OrganizationDto> {
  requireMay(scope, 'organization.pause');
  await inTransaction(scope, async (db) => {
    if (!(await setOrganizationPause(db, columns))) return;
    const { pausedAt, pauseReason: reason, pauseEndsAt: endsAt } = columns;
    await recordAudit(db, scope, {
      action: pausedAt ? 'organization.paused' : 'organization.resumed',
      target: encodeId('org', scope.organizationId),
      detail: pausedAt ? { reason, endsAt } : {},
    });
  });
  return getOrganization(scope);
}

/** Hides the checklist "Get started" from everybody in the organization. A second time changes nothing. */
export function dismissChecklist(scope: TenantScope, now = new Date()): Promise<void> {
  requireMay(scope, 'organization.change');
  return inTransaction(scope, async (db) => {
    if (!(await setChecklistDismissed(db, now))) return;
    await recordAudit(db, scope, {
      action: 'organization.checklist_dismissed',
      target: encodeId('org', scope.organizationId),
      detail: {},
    });
  });
}

/**
 * Ends the pauses of organizations whose time is over.
 *
 * @returns how many
 */
export async function endOrganizationPauses(now = new Date()): Promise<number> {
  return endPausesInTurn(
    { action: 'organization.resumed', prefix: 'org' },
    await listEndedOrganizationPauses(now),
    (db, { id }) => endOrganizationPause(db, id, now),
  );
}

export interface DeletionImpact {
  projects: number;
  chains: number;
  members: number;
  runners: number;
  tokens: number;
}

/** Returns what deleting the organization would delete. */
export function getDeletionImpact(scope: TenantScope): Promise<DeletionImpact> {
  return inTransaction(scope, countDeleted);
}

/**
 * Deletes the organization with everything in it but its audit log. Throws InvalidError when the
 * typed slug is another one, ConflictError while a chain runs, PreconditionFailedError for the
 * demo, which the installation's start relies on, ProofRequiredError.
 */
export function deleteOrganization(
  scope: TenantScope,
  { confirmSlug }: DeleteOrganizationInput,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'organization.delete');
  requireRecentProofOf(scope, now);
  return inTransaction(scope, async (db) => {
    const { name, slug, isDemo } = await getOrganizationRow(db);
    if (confirmSlug !== slug) {
      const message = `Type ${slug} to delete ${name}.`;
      throw new InvalidError(message, { confirmSlug: message });
    }
    if (isDemo) {
      throw new PreconditionFailedError('The demo organization is part of this installation.');
    }
    const live = await findAnyLiveChain(db);
    if (live) {
      throw new ConflictError(
        `Chain #${live.number} of ${live.project.name} is still running. Stop it, then delete ${name}.`,
        { chainId: encodeId('chn', live.id), number: live.number },
      );
    }
    await deleteOrganizationRow(db);
    await recordAudit(db, scope, {
      action: 'organization.deleted',
      target: encodeId('org', scope.organizationId),
      detail: { before: { name, slug } },
    });
  });
}
