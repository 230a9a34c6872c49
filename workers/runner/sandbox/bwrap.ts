/** The arguments of bubblewrap for one sandbox. */
import { SANDBOX_USER } from './inside';

/** Applied in order, later ones on top of earlier ones. Paths are absolute. */
export type Mount =
  | { kind: 'read_only' | 'writable'; from: string; at: string }
  /** A symbolic link in the sandbox. */
  | { kind: 'link'; to: string; at: string }
  /** An empty folder in memory, which covers what is there. `maxBytes`: of what is written to it. */
  | { kind: 'empty'; at: string; maxBytes: number };

export interface Sandbox {
  mounts: readonly Mount[];
  /** Complete: nothing is inherited. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** The host's process list where the kernel allows no other. */
  processList: 'own' | 'host';
}

/**
 * New namespaces of every kind, no capabilities, no way to make further namespaces. The sandbox ends
 * with the process that started it.
 */
const CONFINED = [
  ...['--unshare-user', '--unshare-all', '--disable-userns', '--cap-drop', 'ALL'],
  ...['--uid', String(SANDBOX_USER.id), '--gid', String(SANDBOX_USER.id)],
  ...['--hostname', 'sandbox', '--die-with-parent', '--new-session', '--clearenv'],
];

/** The owner of these files may write to them, whatever its capabilities: a runner can be root. */
const KERNEL_SETTINGS = ['sys', 'sysrq-trigger', 'irq', 'bus', 'acpi', 'scsi', 'fs', 'asound'].map(
  (name) => `/proc/${name}`,
);

/** Returns the options; the program and its arguments follow behind `--`. */
export function bwrapOptions({ mounts, env, cwd, processList }: Sandbox): string[] {
  return [
    ...CONFINED,
    ...(processList === 'own'
      ? ['--proc', '/proc', ...KERNEL_SETTINGS.flatMap((each) => ['--ro-bind-try', each, each])]
      : ['--ro-bind', '/proc', '/proc']),
    ...['--ro-bind-try', '/dev/null', '/proc/keys', '--dev', '/dev'],
    ...mounts.flatMap(mountOptions),
    // The folders that mounts needed are writable until here.
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', cwd],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

function mountOptions(mount: Mount): string[] {
  switch (mount.kind) {
    case 'read_only':
      return ['--ro-bind', mount.from, mount.at];
    case 'writable':
      return ['--bind', mount.from, mount.at];
    case 'link':
      return ['--symlink', mount.to, mount.at];
    case 'empty':
      return ['--size', String(mount.maxBytes), '--tmpfs', mount.at];
  }
}
