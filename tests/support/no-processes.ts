/** Setup of the unit stage: nothing there starts a process. What needs one belongs to `tests/processes`. */
import childProcess, { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach } from 'vitest';

const attempts: string[] = [];

function refuse(program: unknown): never {
  const message = `A unit test tried to start the process ${program}. Move the test to tests/processes.`;
  attempts.push(message);
  throw new Error(message);
}

// spawn, exec, execFile and fork all end here.
Object.assign(ChildProcess.prototype, {
  spawn: (options: { file?: unknown }) => refuse(options.file),
});
Object.assign(childProcess, { spawnSync: refuse, execSync: refuse, execFileSync: refuse });
syncBuiltinESMExports();

// The code under test may catch the error.
afterEach(() => {
  const [first] = attempts.splice(0);
  if (first !== undefined) throw new Error(first);
});
