import { expect, it } from 'vitest';
import { kindOfInstallation } from './posture';

it.each([
  ['a checkout', ['/app/.git'], 'checkout'],
  ['an unpacked archive', [], 'checkout'],
  ['our image under Docker', ['/.dockerenv'], 'container'],
  ['our image under Podman', ['/run/.containerenv'], 'container'],
  ['a checkout in a container', ['/.dockerenv', '/app/.git'], 'checkout'],
])('[FLT-5.2] is updated like what it is: %s', (_what, files, kind) => {
  expect(kindOfInstallation('/app/workers/runner', (path) => files.includes(path))).toBe(kind);
});
