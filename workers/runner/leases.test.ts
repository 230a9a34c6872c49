import { expect, it } from 'vitest';
import { createLeases } from './leases';

function at(seconds: number, wallSeconds = seconds) {
  return { wallMs: wallSeconds * 1_000, steadyMs: seconds * 1_000 };
}

function leasesFrom(start = at(0)) {
  let now = start;
  const leases = createLeases(() => now);
  leases.begin('one', 60);
  return { leases, goTo: (moment: ReturnType<typeof at>) => void (now = moment) };
}

it('a lease ends five seconds early, counted from the last answered heartbeat', () => {
  const { leases, goTo } = leasesFrom();
  goTo(at(54));
  expect(leases.isValid('one')).toBe(true);
  leases.renew(['one', 'unknown'], at(15));
  goTo(at(69));
  expect(leases.isValid('one')).toBe(true);
  goTo(at(70));
  expect(leases.isValid('one')).toBe(false);
});

it('an answer that was overtaken by a later one shortens nothing', () => {
  const { leases, goTo } = leasesFrom();
  leases.renew(['one'], at(30));
  leases.renew(['one'], at(15));
  goTo(at(80));
  expect(leases.isValid('one')).toBe(true);
});

it.each([
  ['the host was suspended', at(10, 100)],
  ['the clock was set back', at(100, 10)],
])('is over if %s meanwhile', (_what, moment) => {
  const { leases, goTo } = leasesFrom();
  goTo(moment);
  expect(leases.isValid('one')).toBe(false);
});

it('an attempt that has ended has none', () => {
  const { leases } = leasesFrom();
  leases.end('one');
  expect(leases.isValid('one')).toBe(false);
});
