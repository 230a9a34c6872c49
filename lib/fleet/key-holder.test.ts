import { expect, it } from 'vitest';
import type { KeyHolder } from '@/lib/identity/tenancy/make-scope';
import { decideKeyHolder, mustWait } from './key-holder';

const now = new Date('2026-11-27T12:00:00Z');
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const [one, two, three] = ['one', 'two', 'three'].map((processId) => ({
  processId,
  instanceId: processId === 'three' ? 'another folder' : 'folder',
})) as [Given, Given, Given];
type Given = { processId: string; instanceId: string };

const free: KeyHolder = {
  keyProcess: null,
  keyInstance: null,
  keyHeldUntil: null,
  keyReplacedProcess: null,
  keyRefusedProcess: null,
};
const heldByOne: KeyHolder = {
  ...free,
  keyProcess: 'one',
  keyInstance: 'folder',
  keyHeldUntil: inSeconds(40),
};
const replacedByTwo = { ...heldByOne, keyProcess: 'two', keyReplacedProcess: 'one' };
const copied = { ...heldByOne, keyRefusedProcess: 'two' };

it.each<[string, KeyHolder, Given | null, Partial<KeyHolder> | 'refused' | null]>([
  ['is free: the first process gets it', free, one, { keyProcess: 'one' }],
  ['is held: its holder renews it', heldByOne, one, { keyHeldUntil: inSeconds(75) }],
  ['was renewed just now', { ...heldByOne, keyHeldUntil: inSeconds(73) }, one, null],
  ['is held: another host is refused', heldByOne, three, 'refused'],
  [
    'has expired: another host takes over',
    { ...heldByOne, keyHeldUntil: now },
    three,
    { keyProcess: 'three' },
  ],
  [
    'is held: a restart in the same folder takes over at once',
    heldByOne,
    two,
    { keyProcess: 'two', keyReplacedProcess: 'one' },
  ],
  [
    'was taken over, and the first process lives',
    replacedByTwo,
    one,
    { keyProcess: 'one', keyRefusedProcess: 'two' },
  ],
  ['is held: the copy that came second is refused', copied, two, 'refused'],
  [
    'has expired: the copy takes over',
    { ...copied, keyHeldUntil: now },
    two,
    { keyProcess: 'two', keyRefusedProcess: null },
  ],
  ['is held: a runner that names no process is refused', heldByOne, null, 'refused'],
  ['is free: a runner that names no process may use it', free, null, null],
])('[SEC-2.3] a key that %s', (_title, holder, process, expected) => {
  const decided = decideKeyHolder(holder, process, now);
  if (expected === null || expected === 'refused') expect(decided).toBe(expected);
  else expect(decided).toMatchObject(expected);
});

it.each<[string, KeyHolder, Given, boolean]>([
  ['takes a free key', free, one, true],
  ['takes over', heldByOne, two, true],
  [
    'renews it late: its lease may outlast it',
    { ...heldByOne, keyHeldUntil: inSeconds(64) },
    one,
    true,
  ],
  ['renews it in time', { ...heldByOne, keyHeldUntil: inSeconds(66) }, one, false],
])(
  '[SEC-2.3] a request waits until the key is stored: one that %s',
  (_what, known, process, waits) => {
    const decided = decideKeyHolder(known, process, now);
    if (decided === null || decided === 'refused') throw new Error('It changes nothing.');
    expect(mustWait(known, decided, now)).toBe(waits);
  },
);
