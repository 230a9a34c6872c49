import { writeAuditKey } from './audit-key.mjs';
import { ROLES, requireUsableUrl, roleUrls } from './database-urls.mjs';
import { migrate } from './prisma.mjs';
import { prepareQueueSchemas } from './queue-schemas.mjs';
import { ensureLogins, requireBoundRoles, requireRoles } from './roles.mjs';

/**
 * Brings a database to what this checkout needs: tables, policies, queues, logins.
 * @param {string} ownerUrl the login that migrates and owns
 * @param {string} secretKey the logins' passwords are made from it
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<{ urls: { appUrl: string, systemUrl: string, runnerUrl: string }, hasMigrated: boolean }>}
 */
export async function prepareDatabase(ownerUrl, secretKey, env) {
  requireUsableUrl('DATABASE_URL', ownerUrl);
  for (const { variable } of ROLES) {
    const isRedis = env[variable]?.startsWith('redis');
    if (env[variable] && !isRedis) requireUsableUrl(variable, env[variable]);
  }
  await requireRoles(ownerUrl, secretKey, env);
  const hasMigrated = await migrate(ownerUrl);
  await writeAuditKey(ownerUrl, secretKey);
  await prepareQueueSchemas(ownerUrl);
  await ensureLogins(ownerUrl, secretKey, env);
  const urls = roleUrls(ownerUrl, secretKey, env);
  await requireBoundRoles(urls);
  return { urls, hasMigrated };
}
