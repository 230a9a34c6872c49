/** The text of a systemd user service. Pure. */

export interface ServiceUnit {
  /** Absolute path of Node. */
  node: string;
  /** Absolute path of the runner's file. */
  program: string;
  workingDir: string;
  /** The runner's folder, where its key is. */
  runnerDir: string;
  /** Keys and settings; readable by the account alone. */
  environmentFile: string;
  /** Where `claude` and what the checks and rules name is found. */
  path: string;
  url: string;
}

/**
 * Returns the unit. It has no sandbox that needs a user namespace: many hosts forbid those to
 * accounts, and such a unit would not start there.
 */
export function serviceUnit(unit: ServiceUnit): string {
  const { node, program, workingDir, runnerDir, environmentFile } = unit;
  return `# Written by the Tierwatch runner (start --service), and written again by the same command.
[Unit]
Description=Tierwatch runner
Documentation=${unit.url.replaceAll('%', '%%')}/docs/runners
StartLimitIntervalSec=0

[Service]
Type=exec
WorkingDirectory=${path(workingDir)}
Environment=${quoted(`PATH=${unit.path}`)}
Environment=${quoted(`TIERWATCH_RUNNER_DIR=${runnerDir}`)}
EnvironmentFile=-${path(environmentFile)}
ExecStart=${argument(node)} ${argument(program)} start
Restart=on-failure
RestartSec=5
KillMode=mixed
TimeoutStopSec=60
Delegate=yes
UMask=0077
NoNewPrivileges=yes
RestrictSUIDSGID=yes
RestrictRealtime=yes
LockPersonality=yes
SystemCallArchitectures=native

[Install]
WantedBy=default.target
`;
}

/** Returns one line of an environment file. */
export function environmentLine(name: string, value: string): string {
  return `${name}="${value.replaceAll(/["\\$`]/g, (found) => `\\${found}`)}"`;
}

function path(value: string): string {
  return value.replaceAll('%', '%%');
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, (found) => `\\${found}`).replaceAll('%', '%%')}"`;
}

/** ExecStart also replaces variables, as a shell does. */
function argument(value: string): string {
  return quoted(value).replaceAll('$', '$$$$');
}
