/** Holds the cluster of a data folder (first argument) until it is ended. */
import { holdDataFolder } from '../../scripts/bootstrap/data-folder.mjs';
import { startCluster } from '../../scripts/bootstrap/postgres/cluster.mjs';

const cluster = await startCluster(holdDataFolder(process.argv[2]), { isThrowaway: true });
process.stdout.write(
  `${JSON.stringify({ isReused: cluster.isReused, ownerUrl: cluster.ownerUrl })}\n`,
);
setInterval(() => {}, 60_000);
