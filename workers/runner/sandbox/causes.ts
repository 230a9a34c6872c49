import type { ConfinementCause } from '@/lib/protocol/confinement';

/** What bubblewrap prints, most specific first. */
const BY_MESSAGE: readonly (readonly [RegExp, ConfinementCause])[] = [
  [/unknown option/i, 'too_old'],
  [/mount proc .*not permitted/i, 'proc_masked'],
  [/setting up uid map: permission denied|RTM_NEWADDR: operation not permitted/i, 'apparmor'],
  [/nesting depth|max_\S*_namespaces|ENOSPC|no space left on device/i, 'namespaces_exhausted'],
  [
    /no permissions to create (a )?new namespace|new namespace failed: operation not permitted|unshare.*operation not permitted/i,
    'namespaces_filtered',
  ],
];

/** Returns why bubblewrap couldn't make a sandbox, by what it printed. */
export function causeOf(stderr: string): ConfinementCause {
  return BY_MESSAGE.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'unknown';
}
