import { describe, expect, it } from 'vitest';
import { type Block, type BlockFacts, type BlockReason, nextBlock } from './block';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 26, 3) + seconds * 1_000);

/** A runner that was last there at that second; it can run checks unless its program is old. */
const seen = (seconds: number, canRunChecks = true): BlockFacts['runner'] => ({
  ...{ lastSeenAt: at(seconds), canRunChecks },
});

const block = (since: number, reason: BlockReason, reported: number | null = null): Block => ({
  ...{ since: at(since), reason, reportedAt: reported === null ? null : at(reported) },
});

describe('[INC-1.1] a project whose checks no runner can run', () => {
  it.each<[string, Block | null, BlockFacts['runner'], number, Block | null, string | null]>([
    // [what, before, runner, now, after, news]; checks every 60 s, so a result is missing after 195 s
    ['is none while its runner is there', null, seen(0), 30, null, null],
    ['no runner: not yet news', null, null, 0, block(0, 'no_runner'), null],
    [
      'no runner: just before a result is missing',
      block(0, 'no_runner'),
      null,
      195,
      block(0, 'no_runner'),
      null,
    ],
    ['no runner: news', block(0, 'no_runner'), null, 196, block(0, 'no_runner', 196), 'blocked'],
    [
      'no runner: news once',
      block(0, 'no_runner', 196),
      null,
      500,
      block(0, 'no_runner', 196),
      null,
    ],
    ['a runner comes before it is news', block(0, 'no_runner'), seen(100), 110, null, null],
    ['a runner comes', block(0, 'no_runner', 196), seen(500), 510, null, 'resumed'],
    [
      'an offline runner: since it was last there',
      null,
      seen(0),
      61,
      block(0, 'runner_offline'),
      null,
    ],
    ['an offline runner: news', null, seen(0), 196, block(0, 'runner_offline', 196), 'blocked'],
    [
      'an offline runner that is revoked: the same block',
      block(0, 'runner_offline', 196),
      null,
      300,
      block(0, 'no_runner', 196),
      null,
    ],
    ['a runner whose program is too old', null, seen(0, false), 5, block(5, 'no_runner'), null],
  ])('%s', (_what, before, runner, now, after, news) => {
    const facts = { isOn: true, runner, everySeconds: 60 };
    const seenAfter = at(now - 60);
    expect(nextBlock(before, facts, seenAfter, at(now))).toEqual({ block: after, news });
  });

  it('is over when its checks are turned off', () => {
    const facts = { isOn: false, runner: null, everySeconds: 60 };
    const next = nextBlock(block(0, 'no_runner', 196), facts, at(440), at(500));
    expect(next).toEqual({ block: null, news: 'resumed' });
  });
});
