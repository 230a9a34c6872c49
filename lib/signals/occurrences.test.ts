import { describe, expect, it } from 'vitest';
import type { IncomingSignal } from './adapters/incoming';
import { applySignal, openBook } from './occurrences';

const T0 = new Date('2026-11-23T09:00:00Z');
const at = (minutes: number) => new Date(T0.getTime() + minutes * 60_000);
const iso = (minutes: number) => at(minutes).toISOString();

const signal: IncomingSignal = {
  fingerprint: 'f',
  startsAt: iso(0),
  status: 'firing',
  kind: 'problem',
  severity: 'warning',
  title: 'Down',
  serviceTexts: ['web'],
  rule: null,
  link: null,
  labels: {},
  annotations: {},
  endsAt: null,
};

/** A message: when it arrives, its status, its start, and what differs. */
type Message = [
  minute: number,
  status: IncomingSignal['status'],
  start: number | null,
  changes?: Partial<IncomingSignal>,
];

function play(messages: readonly Message[]) {
  const book = openBook([]);
  let made = 0;
  for (const [minute, status, start, changes] of messages) {
    const startsAt = start === null ? null : iso(start);
    applySignal(book, { ...signal, status, startsAt, ...changes }, at(minute), {
      match: ([text = null]) => ({ text, serviceId: text === 'web' ? 's1' : null }),
      newId: () => {
        made += 1;
        return String(made);
      },
    });
  }
  const rows = [...book.known.values()].flat().map((row) => {
    const ended = row.endedAt === null ? '' : ` until ${minuteOf(row.endedAt)}`;
    return `${row.id} ${row.status} from ${minuteOf(row.startedAt)}${ended}, ${row.repeats} repeats`;
  });
  const changes = book.changes.map(
    (change) =>
      `${change.signalId} ${change.status}${change.isNew ? ' new' : ''}${change.isReopened ? ' reopened' : ''} ${change.severity} at ${minuteOf(change.at)}`,
  );
  return { rows, changes, book };
}

const minuteOf = (time: Date) => (time.getTime() - T0.getTime()) / 60_000;

describe('messages about an alert', () => {
  it.each<[string, Message[], string[], string[]]>([
    ['it fires', [[1, 'firing', 0]], ['1 firing from 0, 0 repeats'], ['1 firing new warning at 0']],
    [
      'a repeat changes nothing',
      [
        [1, 'firing', 0],
        [2, 'firing', 0],
        [3, 'firing', 0],
      ],
      ['1 firing from 0, 2 repeats'],
      ['1 firing new warning at 0'],
    ],
    [
      'it ends',
      [
        [1, 'firing', 0],
        [5, 'resolved', 0, { endsAt: iso(4) }],
      ],
      ['1 resolved from 0 until 4, 1 repeats'],
      ['1 firing new warning at 0', '1 resolved warning at 4'],
    ],
    [
      'it ends once',
      [
        [1, 'firing', 0],
        [5, 'resolved', 0],
        [6, 'resolved', 0],
      ],
      ['1 resolved from 0 until 5, 2 repeats'],
      ['1 firing new warning at 0', '1 resolved warning at 5'],
    ],
    [
      'its end is never before its start, nor in the future',
      [
        [1, 'firing', 0],
        [5, 'resolved', 0, { endsAt: iso(-9) }],
        [9, 'firing', 8],
        [10, 'resolved', 8, { endsAt: iso(99) }],
      ],
      ['1 resolved from 0 until 0, 1 repeats', '2 resolved from 8 until 10, 1 repeats'],
      [
        '1 firing new warning at 0',
        '1 resolved warning at 0',
        '2 firing new warning at 8',
        '2 resolved warning at 10',
      ],
    ],
    [
      'a start in the future is now',
      [[1, 'firing', 60]],
      ['1 firing from 1, 0 repeats'],
      ['1 firing new warning at 1'],
    ],
    [
      'it fires again with another start',
      [
        [1, 'firing', 0],
        [5, 'resolved', 0],
        [6, 'firing', 6],
      ],
      ['1 resolved from 0 until 5, 1 repeats', '2 firing from 6, 0 repeats'],
      ['1 firing new warning at 0', '1 resolved warning at 5', '2 firing new warning at 6'],
    ],
    [
      'a retry that arrives after the end is late',
      [
        [1, 'firing', 0],
        [5, 'resolved', 0],
        [5.9, 'firing', 0],
      ],
      ['1 resolved from 0 until 5, 2 repeats'],
      ['1 firing new warning at 0', '1 resolved warning at 5'],
    ],
    [
      'the same message sent over and over doesn’t make the end recent',
      [
        [1, 'firing', 0],
        [5, 'resolved', 0],
        [8, 'resolved', 0],
        [11, 'firing', 0],
      ],
      ['1 firing from 0, 3 repeats'],
      ['1 firing new warning at 0', '1 resolved warning at 5', '1 firing reopened warning at 11'],
    ],
    [
      'the same start long after the end reopens it',
      [
        [1, 'firing', 0],
        [5, 'resolved', 0],
        [10, 'firing', 0],
      ],
      ['1 firing from 0, 2 repeats'],
      ['1 firing new warning at 0', '1 resolved warning at 5', '1 firing reopened warning at 10'],
    ],
    [
      'a start after a stale end reopens at once',
      [
        [1, 'firing', 0],
        [5, 'stale', 0],
        [6, 'firing', 0],
      ],
      ['1 firing from 0, 2 repeats'],
      ['1 firing new warning at 0', '1 stale warning at 5', '1 firing reopened warning at 6'],
    ],
    [
      'the end of a stale one is reported after all',
      [
        [1, 'firing', 0],
        [5, 'stale', 0],
        [6, 'resolved', 0],
        [7, 'stale', 0],
      ],
      ['1 resolved from 0 until 6, 3 repeats'],
      ['1 firing new warning at 0', '1 stale warning at 5', '1 resolved warning at 6'],
    ],
    [
      'a new start while it fires: its end was never sent',
      [
        [1, 'firing', 0],
        [9, 'firing', 8],
      ],
      ['1 resolved from 0 until 8, 1 repeats', '2 firing from 8, 0 repeats'],
      ['1 firing new warning at 0', '2 firing new warning at 8', '1 resolved warning at 8'],
    ],
    [
      'an older start while it fires is a repeat',
      [
        [9, 'firing', 8],
        [10, 'firing', 0],
      ],
      ['1 firing from 8, 1 repeats'],
      ['1 firing new warning at 8'],
    ],
    [
      'an older start soon after the end is late',
      [
        [9, 'firing', 8],
        [10, 'resolved', 8],
        [10.5, 'firing', 0],
      ],
      ['1 resolved from 8 until 10, 2 repeats'],
      ['1 firing new warning at 8', '1 resolved warning at 10'],
    ],
    [
      'an end with a newer start ends what fires: the new start was never sent',
      [
        [1, 'firing', 0],
        [9, 'resolved', 8],
      ],
      ['1 resolved from 0 until 9, 1 repeats'],
      ['1 firing new warning at 0', '1 resolved warning at 9'],
    ],
    [
      'an end with an older start doesn’t end what fires',
      [
        [9, 'firing', 8],
        [10, 'resolved', 0],
      ],
      ['1 firing from 8, 0 repeats', '2 resolved from 0 until 10, 0 repeats'],
      ['1 firing new warning at 8'],
    ],
    [
      'an end that nobody saw begin is kept, and no news',
      [[9, 'resolved', 0]],
      ['1 resolved from 0 until 9, 0 repeats'],
      [],
    ],
    [
      'its late start doesn’t open it',
      [
        [9, 'resolved', 0],
        [9.5, 'firing', 0],
      ],
      ['1 resolved from 0 until 9, 1 repeats'],
      [],
    ],
    [
      'without a start: the first message is the start, later ones repeat it',
      [
        [1, 'firing', null],
        [2, 'firing', null],
        [3, 'resolved', null],
      ],
      ['1 resolved from 1 until 3, 2 repeats'],
      ['1 firing new warning at 1', '1 resolved warning at 3'],
    ],
    [
      'without a start: each start after an end is new',
      [
        [1, 'firing', null],
        [3, 'resolved', null],
        [4, 'firing', null],
      ],
      ['1 resolved from 1 until 3, 1 repeats', '2 firing from 4, 0 repeats'],
      ['1 firing new warning at 1', '1 resolved warning at 3', '2 firing new warning at 4'],
    ],
    ['without a start: an end of nothing is ignored', [[1, 'resolved', null]], [], []],
    [
      'another severity is news, another label or annotation isn’t',
      [
        [1, 'firing', 0],
        [2, 'firing', 0, { severity: 'critical' }],
        [3, 'firing', 0, { severity: 'critical', annotations: { a: 'b' } }],
      ],
      ['1 firing from 0, 2 repeats'],
      ['1 firing new warning at 0', '1 firing critical at 2'],
    ],
    [
      'an end without a title keeps the title',
      [
        [1, 'firing', null],
        [2, 'resolved', null, { title: null }],
      ],
      ['1 resolved from 1 until 2, 1 repeats'],
      ['1 firing new warning at 1', '1 resolved warning at 2'],
    ],
  ])('[INC-1.3] %s', (_, messages, rows, changes) => {
    const played = play(messages);
    expect(played.rows).toEqual(rows);
    expect(played.changes).toEqual(changes);
  });

  it.each<[string, Message[], string[], string[]]>([
    [
      'a copy of the start that arrives within the senders’ lag changes nothing',
      [
        [1, 'firing', 0],
        [5, 'resolved', 0],
        [5.03, 'firing', 0],
        [5.99, 'firing', 0],
      ],
      ['1 resolved from 0 until 5, 3 repeats'],
      ['1 firing new warning at 0', '1 resolved warning at 5'],
    ],
    [
      'later than that, the same start fires again',
      [
        [1, 'firing', 0],
        [5, 'resolved', 0],
        [6, 'firing', 0],
      ],
      ['1 firing from 0, 2 repeats'],
      ['1 firing new warning at 0', '1 resolved warning at 5', '1 firing reopened warning at 6'],
    ],
    [
      'and ends, and fires, as often as it happens',
      [
        [1, 'firing', 0],
        [5, 'resolved', 0],
        [7, 'firing', 0],
        [9, 'resolved', 0],
        [9.5, 'firing', 0],
        [11, 'firing', 0],
      ],
      ['1 firing from 0, 5 repeats'],
      [
        '1 firing new warning at 0',
        '1 resolved warning at 5',
        '1 firing reopened warning at 7',
        '1 resolved warning at 9',
        '1 firing reopened warning at 11',
      ],
    ],
    [
      'a message that arrived before the end and is processed after it changes nothing',
      [
        [1, 'firing', 0],
        [5, 'resolved', 0],
        [3, 'firing', 0],
      ],
      ['1 resolved from 0 until 5, 2 repeats'],
      ['1 firing new warning at 0', '1 resolved warning at 5'],
    ],
    [
      'nor does one that the sender sent before the end, however late it arrives',
      [
        [1, 'firing', 0],
        [5, 'resolved', 0, { endsAt: iso(4) }],
        [90, 'firing', 0, { sentAt: iso(3) }],
      ],
      ['1 resolved from 0 until 4, 2 repeats'],
      ['1 firing new warning at 0', '1 resolved warning at 4'],
    ],
    [
      'one that the sender sent after the end is no copy, however soon it arrives',
      [
        [1, 'firing', 0],
        [5, 'resolved', 0, { endsAt: iso(4) }],
        [5.1, 'firing', 0, { sentAt: iso(5) }],
      ],
      ['1 firing from 0, 2 repeats'],
      ['1 firing new warning at 0', '1 resolved warning at 4', '1 firing reopened warning at 5.1'],
    ],
    [
      'a severity that changes while it fires is no new fire',
      [
        [1, 'firing', 0],
        [9, 'firing', 0, { severity: 'critical' }],
      ],
      ['1 firing from 0, 1 repeats'],
      ['1 firing new warning at 0', '1 firing critical at 9'],
    ],
  ])('[SIG-2.1] %s', (_, messages, rows, changes) => {
    const played = play(messages);
    expect(played.rows).toEqual(rows);
    expect(played.changes).toEqual(changes);
  });

  it('[INC-1.3] at most one occurrence fires, in whatever order messages arrive', () => {
    const statuses = ['firing', 'resolved', 'stale'] as const;
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 2_000; round += 1) {
      const messages = Array.from(
        { length: 8 },
        (_, index): Message => [
          index * 3,
          statuses[random(3)] ?? 'firing',
          random(5) === 0 ? null : random(6) * 2,
        ],
      );
      const { book } = play(messages);
      const list = [...book.known.values()].flat();
      expect(list.filter(({ status }) => status === 'firing').length).toBeLessThanOrEqual(1);
      for (const row of list) expect(row.endedAt === null).toBe(row.status === 'firing');
      expect(new Set(list.map(({ startsAt }) => startsAt)).size).toBe(list.length);
      // Whoever follows the changes knows the same as the rows say.
      const followed = new Map(book.changes.map(({ signalId, status }) => [signalId, status]));
      for (const [id, status] of followed)
        expect(list.find((row) => row.id === id)?.status).toBe(status);
    }
  });

  it('[INC-1.3] a repeat renews it, and one that arrived before doesn’t', () => {
    const [row] = [
      ...play([
        [1, 'firing', 0],
        [9, 'firing', 0],
        [3, 'firing', 0],
      ]).book.known.values(),
    ].flat();
    expect(row?.lastSeenAt).toEqual(at(9));
  });
});
