import { existsSync } from 'node:fs';
import path from 'node:path';
import { roleUrls } from '@/scripts/bootstrap/database-urls.mjs';
import { dataFolder } from '@/scripts/bootstrap/folders.mjs';
import { ownerUrl, readOrMakeSettings } from '@/scripts/bootstrap/postgres/settings.mjs';
import { readOrMakeSecretKey } from '@/scripts/bootstrap/secret-key.mjs';
import { CommandError, EXIT } from './exit-code';

/**
 * Returns the environment for a command that works directly on the database: as given, or as
 * created by `npm start` on this machine.
 */
export function localEnvironment(
  env: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const folder = dataFolder(env as NodeJS.ProcessEnv);
  const given = [env.TIERWATCH_APP_DATABASE_URL, env.TIERWATCH_SYSTEM_DATABASE_URL];
  if (given.every((url) => url && new URL(url).password !== '')) return { ...env };
  if (given.every(Boolean)) {
    return { ...env, ...loginsOf(null, readOrMakeSecretKey(folder, env), env) };
  }
  const home = path.join(folder, 'postgres');
  if (!env.DATABASE_URL && !existsSync(path.join(home, 'connection.json'))) {
    throw new CommandError(
      `There is no Tierwatch in ${folder}. Run npm start first, or set DATABASE_URL and TIERWATCH_SECRET_KEY.`,
      EXIT.usage,
    );
  }
  const secretKey = readOrMakeSecretKey(folder, env);
  const owner = env.DATABASE_URL ?? ownerUrl(readOrMakeSettings(home));
  return {
    ...env,
    TIERWATCH_DATA_DIR: folder,
    TIERWATCH_SECRET_KEY: secretKey,
    ...loginsOf(owner, secretKey, env),
  };
}

function loginsOf(
  owner: string | null,
  secretKey: string,
  env: Record<string, string | undefined>,
): Record<string, string> {
  const { appUrl, systemUrl } = roleUrls(owner, secretKey, env);
  return { TIERWATCH_APP_DATABASE_URL: appUrl, TIERWATCH_SYSTEM_DATABASE_URL: systemUrl };
}
