import { expect, it } from 'vitest';
import { kindOfInstallation, reportedLimits } from './posture';

it.each([
  ['a checkout', ['/app/.git'], 'checkout'],
  ['an unpacked archive', [], 'checkout'],
  ['our image under Docker', ['/.dockerenv'], 'container'],
  ['our image under Podman', ['/run/.containerenv'], 'container'],
  ['a checkout in a container', ['/.dockerenv', '/app/.git'], 'checkout'],
])('[FLT-5.2] is updated like what it is: %s', (_what, files, kind) => {
  expect(kindOfInstallation('/app/workers/runner', (path) => files.includes(path))).toBe(kind);
});

it.each([
  [
    'cgroups limit both',
    { processes: 500, memoryMb: 2_000 },
    null,
    { processes: 500, of: 'agents', memoryMb: 2_000 },
  ],
  [
    'cgroups limit memory alone',
    { processes: null, memoryMb: 2_000 },
    500,
    { processes: 500, of: 'sandboxes', memoryMb: 2_000 },
  ],
  ['sandboxes limit themselves', null, 500, { processes: 500, of: 'sandboxes', memoryMb: null }],
  ['nothing limits them', null, null, { processes: null, of: 'none', memoryMb: null }],
])('[BND-1.2] reports the limits that hold: %s', (_what, inCgroup, inSandbox, reported) => {
  expect(reportedLimits(inCgroup, inSandbox)).toEqual(reported);
});
