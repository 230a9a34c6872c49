import { expect, it } from 'vitest';
import { causeOf } from './confinement';

it.each([
  ['bwrap: setting up uid map: Permission denied', 'apparmor'],
  ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'apparmor'],
  [
    'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.',
    'namespaces_filtered',
  ],
  ['bwrap: Creating new namespace failed: Operation not permitted', 'namespaces_filtered'],
  ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", 'proc_masked'],
  [
    'bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)',
    'namespaces_exhausted',
  ],
  ['bwrap: Unknown option --disable-userns', 'too_old'],
  ['bwrap: something else', 'unknown'],
])('[BND-1.1] %s', (stderr, cause) => {
  expect(causeOf(stderr)).toBe(cause);
});
