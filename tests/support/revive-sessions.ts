import { runSql, type TestDatabase } from './database';

/**
 * Makes sessions live again that have ended, which the database refuses to the product.
 *
 * @param where a condition in SQL on `session`
 */
export function reviveSessions(
  { superuserUrl }: TestDatabase,
  status: 'queued' | 'running',
  where = 'true',
): Promise<void> {
  return runSql(
    superuserUrl,
    `begin; set local session_replication_role = replica;
     update session set status = '${status}', ended_at = null where ${where}; commit`,
  );
}
