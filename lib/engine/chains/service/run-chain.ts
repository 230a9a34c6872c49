import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import { type StartChainInput, startChain } from './start-chain';

/**
 * Starts a chain of a project, by the project's id or slug.
 *
 * @returns `chn_…`
 * @throws ConflictError with the live chain's id while one runs
 */
export async function runChain(
  scope: TenantScope,
  project: string,
  input: Omit<StartChainInput, 'projectId' | 'trigger'>,
): Promise<string> {
  const { id } = await inTransaction(scope, (db) => requireProject(db, project));
  const trigger = scope.actor.kind === 'user' ? 'manual' : 'api';
  const { chainId } = await startChain(scope, { ...input, projectId: id, trigger });
  return encodeId('chn', chainId);
}
