/**
 * Holds the cluster of a data folder (first argument) and one process beside it (second argument: its
 * program) as `npm start` does, until it is ended.
 */
import path from 'node:path';
import { holdDataFolder } from '../../scripts/bootstrap/data-folder.mjs';
import { startCluster } from '../../scripts/bootstrap/postgres/cluster.mjs';
import { runMain } from '../../scripts/bootstrap/problem.mjs';
import { openProcessLog } from '../../scripts/bootstrap/process-log.mjs';
import { keepRunning } from '../../scripts/bootstrap/processes.mjs';
import { recordProcesses } from '../../scripts/bootstrap/running-processes.mjs';

await runMain(async () => {
  const [dataDir, program] = process.argv.slice(2);
  const folder = holdDataFolder(dataDir);
  const cluster = await startCluster(folder, { isThrowaway: true });
  cluster.keepRunning((text) => process.stderr.write(`postgres| ${text}\n`));
  const log = openProcessLog(path.join(dataDir, 'logs'), 'talker', { isVerbose: false });
  const spec = { name: 'talker', args: [program], env: process.env, stopTimeoutMs: 1_000 };
  keepRunning(spec, log, recordProcesses(dataDir));
  process.stdout.write(`${cluster.superuserUrl}\n`);
});
