import { logger } from '@/lib/platform/logger';
import { readWalls } from './data';
import { wallProblems } from './problems';

/** @throws Error that says, one a line, why the database would not keep tenants apart */
export async function requireTenantWalls(): Promise<void> {
  const problems = (await readWalls()).flatMap(wallProblems);
  if (problems.length > 0) throw new Error([...new Set(problems)].join('\n'));
}

/**
 * Ends the process, before it has served anyone, when the database would not keep tenants apart.
 * An error alone would not do: Next logs what its start-up hook throws, and may go on.
 */
export async function exitWithoutTenantWalls(): Promise<void> {
  try {
    await requireTenantWalls();
  } catch (error) {
    logger.fatal(
      { error: error instanceof Error ? error.message : String(error) },
      'refused to start',
    );
    process.exit(1);
  }
}
