import { describe, expect, it } from 'vitest';
import { CheckSlots } from './check-slots';

const check = (projectId: string, number: number, type = 'http') => ({
  ...{ checkId: `${projectId}-${type}-${number}`, projectId },
  check: { type },
});

function add(slots: CheckSlots, projectId: string, count: number, type?: string): void {
  for (let number = 0; number < count; number += 1) slots.add(check(projectId, number, type));
}

/** How many of each project have started. */
function startedBy(ids: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const id of ids) {
    const project = id.split('-')[0] ?? '';
    counts[project] = (counts[project] ?? 0) + 1;
  }
  return counts;
}

describe('[OUT-2.2] slots for checks', () => {
  it.each<[string, string, Record<string, number>, Record<string, number>]>([
    ['all start while there is room', 'http', { a: 200 }, { a: 200 }],
    ['one project gets half of them', 'http', { a: 1_000 }, { a: 250 }],
    ['the next gets half of the rest', 'http', { a: 1_000, b: 1_000 }, { a: 250, b: 125 }],
    ['a small one gets what it needs beside it', 'http', { a: 1_000, b: 30 }, { a: 250, b: 30 }],
    ['programs have fewer', 'command', { a: 1_000, b: 3 }, { a: 30, b: 3 }],
    ['of a kind that isn’t known', 'new', { a: 1_000 }, { a: 250 }],
  ])('%s (%s)', (_what, type, due, started) => {
    const slots = new CheckSlots();
    for (const [project, count] of Object.entries(due)) add(slots, project, count, type);
    expect(startedBy(slots.start())).toEqual(started);
  });

  it('every project has at least one, however many others hang', () => {
    const slots = new CheckSlots();
    for (let number = 0; number < 600; number += 1) add(slots, `p${number}`, 100);
    const started = startedBy(slots.start());
    expect(Object.keys(started)).toHaveLength(600);
    add(slots, 'late', 1);
    expect(slots.start()).toEqual(['late-http-0']);
  });

  it('sockets that hang leave programs alone', () => {
    const slots = new CheckSlots();
    add(slots, 'a', 1_000);
    slots.start();
    add(slots, 'a', 5, 'process');
    expect(slots.start()).toHaveLength(5);
  });

  it('a slot that is freed goes to the one that has waited for the longest', () => {
    const slots = new CheckSlots();
    add(slots, 'a', 1_000);
    const [first = ''] = slots.start();
    slots.end(first);
    expect(slots.start()).toEqual(['a-http-250']);
  });

  it('a check that waits isn’t added twice, and one that runs isn’t started twice', () => {
    const slots = new CheckSlots();
    slots.add(check('a', 1));
    slots.add(check('a', 1));
    expect(slots.waiting).toBe(1);
    expect(slots.start()).toHaveLength(1);
    slots.add(check('a', 1));
    expect(slots.start()).toEqual([]);
    expect([slots.waiting, slots.running]).toEqual([0, 1]);
  });
});
