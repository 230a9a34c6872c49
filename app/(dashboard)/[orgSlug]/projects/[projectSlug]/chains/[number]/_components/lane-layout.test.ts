import { expect, it } from 'vitest';
import { laneBars } from './lane-layout';

const time = (seconds: number) => new Date(1_000_000_000_000 + seconds * 1_000).toISOString();
const session = (id: string, tier: number, from: number, to: number | null) => ({
  id,
  tier,
  createdAt: time(from),
  endedAt: to === null ? null : time(to),
});

it('puts sessions one behind the other over the whole width', () => {
  const sessions = [session('a', 1, 0, 25), session('b', 2, 25, 100)];
  expect(laneBars(sessions, [], 0)).toMatchObject([
    { sessionId: 'a', start: 0, end: 0.25 },
    { sessionId: 'b', start: 0.25, end: 1 },
  ]);
});

it('a running session reaches to now', () => {
  const sessions = [session('a', 1, 0, 50), session('b', 2, 50, null)];
  const [first, second] = laneBars(sessions, [], 1_000_000_000_000 + 200_000);
  expect([first?.end, second?.start, second?.end]).toEqual([0.25, 0.25, 1]);
});

it('[RES-7.3] a session that fell back has a segment for each process', () => {
  const attempt = (from: number, to: number) => ({
    sessionId: 'b',
    startedAt: time(from),
    endedAt: time(to),
  });
  const sessions = [session('a', 1, 0, 50), session('b', 2, 50, 100)];
  const [, fallback] = laneBars(sessions, [attempt(50, 55), attempt(60, 100)], 0);
  expect(fallback?.segments).toEqual([
    { start: 0.5, end: 0.55 },
    { start: 0.6, end: 1 },
  ]);
});

it('a chain without sessions has no bars', () => {
  expect(laneBars([], [], 0)).toEqual([]);
});
