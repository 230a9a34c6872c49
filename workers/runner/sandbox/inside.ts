/** Where things are inside a sandbox: the same for every attempt on every host. */
export const INSIDE = {
  /** The project's work folder. */
  workDir: '/project',
  configDir: '/agent/config',
  stateDir: '/agent/state',
  tmpDir: '/agent/tmp',
  /** Read-only: what the runner has written for this start. */
  filesDir: '/agent/files',
  /** Searched first for programs: those that the command broker runs. */
  commandsDir: '/agent/commands',
  socket: '/agent/runner.sock',
} as const;

/** The account that the agent sees itself as. */
export const SANDBOX_USER = { name: 'agent', id: 1000 } as const;

/** On the sandbox's own loopback, where the runner listens. */
export const MODEL_PORT = 8400;
export const COMMANDS_PORT = 8401;
