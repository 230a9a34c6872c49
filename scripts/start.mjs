/** `npm start`: sets up what is missing, runs every process, and stops them all on Ctrl-C. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readAddress } from './bootstrap/address.mjs';
import { stopCommands } from './bootstrap/command.mjs';
import { holdDataFolder, waitForStop } from './bootstrap/data-folder.mjs';
import { dataFolder } from './bootstrap/folders.mjs';
import { ensureInstalled } from './bootstrap/install.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { watchNpm } from './bootstrap/parents.mjs';
import { requireFreePort } from './bootstrap/ports.mjs';
import { hasOption, runMain } from './bootstrap/problem.mjs';
import { endLeftProcesses } from './bootstrap/running-processes.mjs';
import { prepareShutdown } from './bootstrap/shutdown.mjs';

function printWelcome(address, account) {
  const lines = ['', `  Address   ${address.publicUrl}`];
  if (account) lines.push(`  E-mail    ${account.email}`, `  Password  ${account.password}`);
  if (!hasBubblewrap()) {
    lines.push('', '  To confine agents to a sandbox, install bubblewrap: apt install bubblewrap');
  }
  process.stdout.write(`${lines.join('\n')}\n\nPress Ctrl-C to stop.\n`);
}

function hasBubblewrap() {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.some((folder) => existsSync(path.join(folder, 'bwrap')));
}

await runMain(async () => {
  requireNode();
  const isVerbose = hasOption(
    process.argv.slice(2),
    '--verbose',
    'npm start -- --verbose shows every line that the processes write. Settings are environment variables, such as TIERWATCH_DATA_DIR=/path/to/folder PORT=3001 npm start',
  );
  const address = readAddress(process.env);
  await waitForStop(dataFolder(), () => {
    process.stdout.write('Waiting for the Tierwatch that is stopping…\n');
  });
  const folder = holdDataFolder(dataFolder());
  const shutdown = prepareShutdown({
    onStopping: () => {
      process.stdout.write('\nStopping…\n');
      folder.noteEnding();
      stopCommands();
    },
  });
  shutdown.add(folder.release);
  watchNpm(() => process.kill(process.pid, 'SIGTERM'));
  try {
    await endLeftProcesses(folder.path, () => {
      process.stdout.write('Waiting for the processes of an earlier start to end…\n');
    });
    await requireFreePort(address.port, address.host);
    process.stdout.write('Tierwatch\n');
    await ensureInstalled();
    // Loaded now, because these need the packages.
    const { startSystem } = await import('./bootstrap/system.mjs');
    const { readDemoAccount } = await import('./bootstrap/demo-account.mjs');
    await startSystem(folder, address, shutdown, { isVerbose });
    if (!shutdown.isClosing()) printWelcome(address, readDemoAccount(folder.path));
  } catch (error) {
    // What was being prepared fails when it is stopped half-way; that is no news.
    if (shutdown.isClosing()) return;
    await shutdown.close();
    throw error;
  }
});
