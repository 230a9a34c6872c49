/** Escalation policies: who is notified of an incident that nobody works on, and when. */

import { v7 as uuidv7 } from 'uuid';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, InvalidError, NotFoundError } from '@/lib/platform/errors';
import { encodeId, requireId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import { requireChannels, requireNewName } from './checks';
import {
  assignProjects,
  deletePolicyRow,
  insertPolicy,
  listPolicyRows,
  listScheduleRows,
  type StoredPolicy,
  updatePolicy as writePolicy,
} from './data';
import type { PolicyDto, PolicyInput } from './schema';

const MAX_POLICIES = 50;

/** Returns every policy of the organization, by name. */
export function listPolicies(scope: TenantScope): Promise<PolicyDto[]> {
  return inTransaction(scope, async (db) => (await listPolicyRows(db)).map(toDto));
}

/** @param policyId `esp_…` @throws NotFoundError */
export function getPolicy(scope: TenantScope, policyId: string): Promise<PolicyDto> {
  const id = requireId('esp', policyId);
  return inTransaction(scope, async (db) => toDto(await getRow(db, id)));
}

/**
 * Creates a policy. It applies to incidents that are announced afterwards.
 *
 * @throws InvalidError for a name that another policy has, or a channel, schedule or project that isn't there
 * @throws ConflictError for a project that uses another policy
 */
export function createPolicy(
  scope: TenantScope,
  input: PolicyInput,
  now = new Date(),
): Promise<PolicyDto> {
  requireMay(scope, 'channel.manage');
  return inTransaction(scope, async (db) => {
    const others = await listPolicyRows(db);
    if (others.length >= MAX_POLICIES) {
      throw new ConflictError(
        `An organization has at most ${MAX_POLICIES} escalation policies. Delete one first.`,
      );
    }
    const { projectIds, ...fields } = await checked(db, others, input, null);
    const id = uuidv7();
    await insertPolicy(db, scope.organizationId, { ...fields, id, createdAt: now });
    await assignProjects(db, scope.organizationId, id, projectIds);
    const dto = toDto({ ...fields, id, projectIds, createdAt: now });
    await recordAudit(db, scope, {
      action: 'escalation_policy.created',
      target: dto.id,
      detail: { after: auditedOf(dto) },
    });
    return dto;
  });
}

/**
 * Replaces a policy as a whole. Incidents that are escalating keep the steps that they began with.
 *
 * @throws NotFoundError, InvalidError, ConflictError
 */
export function updatePolicy(
  scope: TenantScope,
  policyId: string,
  input: PolicyInput,
): Promise<PolicyDto> {
  requireMay(scope, 'channel.manage');
  const id = requireId('esp', policyId);
  return inTransaction(scope, async (db) => {
    const before = await getRow(db, id);
    const { projectIds, ...fields } = await checked(db, await listPolicyRows(db), input, id);
    await writePolicy(db, id, fields);
    await assignProjects(db, scope.organizationId, id, projectIds);
    const dto = toDto({ ...before, ...fields, projectIds });
    await recordAudit(db, scope, {
      action: 'escalation_policy.updated',
      target: dto.id,
      detail: { before: auditedOf(toDto(before)), after: auditedOf(dto) },
    });
    return dto;
  });
}

/** Deletes a policy. Incidents of its projects that are announced afterwards don't escalate. */
export function deletePolicy(scope: TenantScope, policyId: string): Promise<void> {
  requireMay(scope, 'channel.manage');
  const id = requireId('esp', policyId);
  return inTransaction(scope, async (db) => {
    const before = toDto(await getRow(db, id));
    await deletePolicyRow(db, id);
    await recordAudit(db, scope, {
      action: 'escalation_policy.deleted',
      target: before.id,
      detail: { before: auditedOf(before) },
    });
  });
}

async function getRow(db: TenantDb, id: string): Promise<StoredPolicy> {
  const row = (await listPolicyRows(db)).find((each) => each.id === id);
  if (!row) throw new NotFoundError();
  return row;
}

/** Returns the input with UUIDs of its projects, once everything that it names is there. */
async function checked(
  db: TenantDb,
  others: readonly StoredPolicy[],
  input: PolicyInput,
  ownId: string | null,
): Promise<PolicyInput> {
  const projects = [];
  for (const projectId of input.projectIds) projects.push(await requireProject(db, projectId));
  requireNewName(others, input.name, ownId);
  await requireChannels(
    db,
    input.steps.map(({ channelIds }, index) => ({ path: `steps.${index}.channelIds`, channelIds })),
  );
  await requireSchedules(db, input);
  for (const { id, name } of projects) {
    const other = others.find((each) => each.id !== ownId && each.projectIds.includes(id));
    if (!other) continue;
    throw new ConflictError(
      `Project ${name} uses the escalation policy ${other.name}, and a project has at most one. Remove it there first.`,
    );
  }
  return { ...input, projectIds: [...new Set(projects.map(({ id }) => id))] };
}

async function requireSchedules(db: TenantDb, { steps }: PolicyInput): Promise<void> {
  const known = (await listScheduleRows(db)).map(({ id }): string => encodeId('ocs', id));
  const index = steps.findIndex(
    ({ scheduleId }) => scheduleId !== null && !known.includes(scheduleId),
  );
  if (index < 0) return;
  const message = `The organization has no on-call schedule ${steps[index]?.scheduleId}. It may have been deleted. Choose another one.`;
  throw new InvalidError(message, { [`steps.${index}.scheduleId`]: message });
}

function toDto(row: StoredPolicy): PolicyDto {
  const { name, steps, repeatTimes, repeatMinutes, projectIds, createdAt } = row;
  return {
    id: encodeId('esp', row.id),
    ...{ name, steps, repeatTimes, repeatMinutes },
    projectIds: projectIds.map((id) => encodeId('prj', id)),
    createdAt: createdAt.toISOString(),
  };
}

function auditedOf({ name, steps, repeatTimes, repeatMinutes, projectIds }: PolicyDto) {
  return { name, steps, repeatTimes, repeatMinutes, projectIds };
}
