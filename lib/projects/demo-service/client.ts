/** The one caller of the demo's supervisor, over loopback and with the token of its data folder. */

import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { getOrganization } from '@/lib/identity/organizations/service';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { NotFoundError, PreconditionFailedError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { isUrlWatched } from './data';
import { demoHealthUrl } from './project-config';
import {
  type DemoAnswer,
  type DemoFault,
  type DemoServices,
  type DemoStatus,
  demoAnswerSchema,
  demoControlSchema,
  demoPaths,
  demoServicesSchema,
  demoStatusSchema,
} from './schema';

const NOT_RUNNING = 'The demo service is not running. Start Tierwatch with npm start.';
const TIMEOUT_MS = 15_000;
/** A page doesn't wait longer for what it only mentions. */
const PAGE_TIMEOUT_MS = 2_000;

/** Ports and pid files of the running demo; null when it was never started. */
export async function findDemoServices(dataDir: string): Promise<DemoServices | null> {
  return readJson(demoPaths(dataDir).servicesFile, demoServicesSchema);
}

/** Null when the supervisor does not answer in time. */
export async function findDemoStatus(
  dataDir: string,
  timeoutMs = TIMEOUT_MS,
): Promise<DemoStatus | null> {
  const answer = await ask(dataDir, 'GET', '/status', timeoutMs);
  return answer === null ? null : demoStatusSchema.parse(answer);
}

/** Seeds a fault: a restart fixes `crash`, only a repair of the configuration fixes `config`. */
export function breakDemo(dataDir: string, fault: DemoFault): Promise<DemoAnswer> {
  return order(dataDir, `/break/${fault}`);
}

async function order(dataDir: string, path: string): Promise<DemoAnswer> {
  const answer = await ask(dataDir, 'POST', path);
  return answer === null ? { ok: false, message: NOT_RUNNING } : demoAnswerSchema.parse(answer);
}

async function ask(
  dataDir: string,
  method: 'GET' | 'POST',
  path: string,
  timeoutMs = TIMEOUT_MS,
): Promise<unknown> {
  const control = await readJson(demoPaths(dataDir).controlFile, demoControlSchema);
  if (!control) return null;
  try {
    const response = await fetch(`http://127.0.0.1:${control.port}${path}`, {
      method,
      headers: { authorization: `Bearer ${control.token}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await response.json();
  } catch {
    return null;
  }
}

async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Breaks the demo's services for real: `crash` is fixed by a restart (tier 2), `config` needs a
 * repair of the configuration (tier 3). All sample projects of the installation watch the same
 * services.
 *
 * @throws NotFoundError in an organization without a sample project
 * @throws PreconditionFailedError when the demo service did not do it, with its own sentence
 */
export async function breakDemoService(
  scope: TenantScope,
  fault: DemoFault,
): Promise<{ message: string }> {
  requireMay(scope, 'demo.break');
  const organization = await getOrganization(scope);
  if (!organization.isDemo && !(await hasSample(scope))) throw new NotFoundError();
  // Outside the transaction, since it is a call over the network.
  const answer = await breakDemo(env().dataDir, fault);
  if (!answer.ok) throw new PreconditionFailedError(answer.message);
  await inTransaction(scope, (db) =>
    recordAudit(db, scope, {
      action: 'demo.broken',
      target: encodeId('org', scope.organizationId),
      detail: { fault, answer: answer.message },
    }),
  );
  return { message: answer.message };
}

/**
 * Whether a project is a sample: it watches the demo's services with the demo agent.
 *
 * @param projectId UUID; without it, any project of the organization
 */
export async function hasSample(scope: TenantScope, projectId: string | null = null) {
  const services = await findDemoServices(env().dataDir);
  if (!services) return false;
  return inTransaction(scope, (db) => isUrlWatched(db, demoHealthUrl(services), projectId));
}

/** What the supervisor of this installation says now; null when it doesn't answer within 2 s. */
export function getDemoStatus(): Promise<DemoStatus | null> {
  return findDemoStatus(env().dataDir, PAGE_TIMEOUT_MS);
}
