/** Installs the runner as a systemd service of the account that runs the command. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { RunnerEnv } from '../env';
import { writeWhole } from '../files';
import { environmentLine, serviceUnit } from './service-unit';

export const SERVICE = 'tierwatch-runner.service';

/** What a runner reads: a service has none of the variables of the shell that installed it. */
const KEPT =
  /^(?:ANTHROPIC_|CLAUDE_|AWS_|GOOGLE_|CLOUD_ML_|TIERWATCH_|HTTPS?_PROXY$|NO_PROXY$|LOG_LEVEL$)/;
/** Set by the unit, or of no use after the enrollment. */
const NOT_KEPT = new Set(['TIERWATCH_RUNNER_DIR', 'TIERWATCH_ENROLLMENT_TOKEN', 'TIERWATCH_TOKEN']);

const run = promisify(execFile);

/**
 * Checks that this host can have the service, and writes its files. Nothing is changed where it can't.
 *
 * @param program the runner's file
 * @returns starts it, once the host is enrolled @throws Error that says what to do
 */
export async function installService(env: RunnerEnv, program: string) {
  const user = userInfo();
  if (user.uid === 0) {
    throw new Error(
      `--service installs the runner for the account that runs the command, and this is ${user.username}: the agent's commands would run with full privileges. Nothing was installed, and the token is unused. Run the command as an account of its own (sudo -iu <account>), or see ${env.url}/docs/locked-down-runner for a system service.`,
    );
  }
  const systemctl = systemctlOf(user.uid, env.source);
  await requireSystemd(systemctl, env, user.username);

  const environmentFile = path.join(env.dir, 'runner.env');
  mkdirSync(env.dir, { recursive: true, mode: 0o700 });
  writeWhole(environmentFile, environmentOf(env), true);
  const unitFile = path.join(configDir(env), 'systemd', 'user', SERVICE);
  mkdirSync(path.dirname(unitFile), { recursive: true });
  const unit = serviceUnit({
    node: process.execPath,
    program,
    workingDir: path.dirname(program),
    runnerDir: env.dir,
    environmentFile,
    path: env.source.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    url: env.url,
  });
  writeWhole(unitFile, unit, true);

  return {
    async start(): Promise<void> {
      await systemctl(['daemon-reload']);
      await systemctl(['enable', SERVICE]);
      await systemctl(['restart', SERVICE]);
      const lines = [
        `The runner runs as the service ${SERVICE} of ${user.username} (${unitFile}).`,
        `Its settings are in ${environmentFile}. State and log: systemctl --user status ${SERVICE}, journalctl --user -u ${SERVICE}`,
        await linger(user.username),
      ];
      process.stdout.write(`${lines.filter(Boolean).join('\n')}\n`);
    },
  };
}

function configDir({ source }: RunnerEnv): string {
  return source.XDG_CONFIG_HOME || path.join(homedir(), '.config');
}

function environmentOf({ source, url }: RunnerEnv): string {
  const kept = Object.entries({ ...source, TIERWATCH_URL: url }).flatMap(([name, value]) =>
    value && KEPT.test(name) && !NOT_KEPT.has(name) ? [environmentLine(name, value)] : [],
  );
  return `${kept.join('\n')}\n`;
}

/** A shell that was opened with su or sudo names no user manager; it runs all the same. */
function systemctlOf(uid: number, source: RunnerEnv['source']) {
  const runtimeDir = `/run/user/${uid}`;
  const found = existsSync(runtimeDir) ? { XDG_RUNTIME_DIR: runtimeDir } : {};
  return async (args: string[]): Promise<void> => {
    await run('systemctl', ['--user', ...args], {
      env: { NODE_ENV: 'production', ...found, ...source },
    });
  };
}

async function requireSystemd(
  systemctl: (args: string[]) => Promise<void>,
  env: RunnerEnv,
  username: string,
): Promise<void> {
  try {
    await systemctl(['show-environment']);
  } catch (error) {
    const unchanged = 'Nothing was installed, and the token is unused.';
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error(
        `--service needs systemd, and this host has no systemctl. ${unchanged} Run the command without --service, and have the host's own service manager run it in this folder: the token is needed only once. See ${env.url}/docs/runners.`,
      );
    }
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(
      `--service can't reach the systemd of ${username}${said ? ` (${said.split('\n')[0]})` : ''}. ${unchanged} As root, run: loginctl enable-linger ${username}. Then run the command again. Without systemd, leave out --service.`,
    );
  }
}

/** Without it, the service ends when its user signs out. Returns what is left to do. */
async function linger(username: string): Promise<string> {
  try {
    await run('loginctl', ['enable-linger', username]);
    return '';
  } catch {
    return `The service stops when ${username} signs out, until root runs: loginctl enable-linger ${username}`;
  }
}
