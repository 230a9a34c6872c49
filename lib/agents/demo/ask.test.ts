/** What the demo agent reads out of a message and of what came before it, and how it words that. */
import { describe, expect, it } from 'vitest';
import { FROM_TRANSCRIPT, TRANSCRIPT } from '@/tests/support/demo/transcript';
import { topicOf } from './agent/answer.mjs';
import { readMessage } from './agent/input.mjs';
import { recollect } from './agent/recollection.mjs';
import { changesOf, storyOf } from './agent/sentences.mjs';

describe('a message', () => {
  it.each([
    ['Why?', 'Why?', null],
    ['Why?\n\nAnd how?\n\n(A new message. Answer it alone.)', 'Why?\n\nAnd how?', null],
    [FROM_TRANSCRIPT, 'Why did you restart web?', TRANSCRIPT],
  ])('of %j', (prompt, text, transcript) => {
    expect(readMessage(prompt)).toEqual({ text, transcript });
  });
});

it('[CNV-1.1] a transcript is all that a fresh conversation knows', () => {
  expect(recollect([], TRANSCRIPT)).toMatchObject({
    events: [
      { kind: 'command', command: 'democtl restart web', by: 2 },
      { kind: 'check', service: 'web', status: 'healthy', by: 2 },
      { kind: 'check', service: 'db', status: 'unknown', by: 2 },
    ],
    services: ['web', 'db'],
    chosen: 'db',
    chain: { label: 'Chain #12', outcome: 'Fixed by tier 2.' },
  });
  expect(recollect([], null)).toMatchObject({ events: [], services: [], chosen: null });
});

it.each([
  ['Why did you restart web?', 'why'],
  ['Why does Chain #12 need a human?', 'why'],
  ['What changed?', 'changes'],
  ['What was done to web in Chain #9, and did it last?', 'changes'],
  ['Is the disk still filling?', 'unmeasured'],
  ['How do things stand?', 'now'],
  ['Is web still down, and since when?', 'now'],
  ['Is web healthy now?', 'now'],
  ['What would you do next?', 'next'],
  ['What did it cost?', 'cost'],
  ['Where did today’s $2.83 go?', 'cost'],
  ['What would tier 2 be allowed to do here?', 'rights'],
  ['What does a chain of Checkout check?', 'watched'],
  ['Which chain ran last, and what did it find?', 'other_chain'],
  ['What did you see?', 'seen'],
  ['Write me a poem.', 'unknown'],
])('%s is about: %s', (text, topic) => {
  expect(topicOf(text)).toBe(topic);
});

const REFUSED = ['http http://127.0.0.1:4/health: down. Connection refused.'];
const GONE = [...REFUSED, 'process /run/web.pid: down. There is no pid file /run/web.pid.'];
const check = (status: 'healthy' | 'down', failures: string[], second: number, by: 1 | 2 | 3) => {
  const at = `2026-11-24T14:02:${String(second).padStart(2, '0')}.000Z`;
  return { kind: 'check' as const, service: 'web', status, lines: failures, failures, at, by };
};
const ran = (command: string, outcome: string, second: number, by: 1 | 2 | 3, isError = false) => {
  const at = `2026-11-24T14:02:${String(second).padStart(2, '0')}.000Z`;
  return { kind: 'command' as const, command, outcome, isError, at, by };
};

const FIXED_BY_TIER_2 = [
  check('down', GONE, 2, 1),
  ran('democtl status', 'web: down, ended by SIGKILL\napi: up, pid 7', 3, 1),
  ran('democtl restart web', 'web is up on port 4.', 20, 2),
  check('healthy', [], 23, 2),
];

it('[PAG-3.3] says how a service failed, why it was restarted, and when it was back', () => {
  expect(storyOf('web', FIXED_BY_TIER_2).join(' ')).toBe(
    'web was down when tier 1 checked it at 14:02:02 UTC: its HTTP check failed (connection refused) and its process was gone. Its process had been ended by SIGKILL. A restart is the safe remediation for a process that has ended, so tier 2 ran `democtl restart web` at 14:02:20 UTC. It passed its checks again 3 s later.',
  );
});

it('[PAG-3.3] says why a restart wasn’t enough and what tier 3 did', () => {
  const reason = 'web did not start: "workers" must be a whole number';
  const story = storyOf('web', [
    check('down', GONE, 2, 1),
    ran('democtl restart web', reason, 20, 2, true),
    check('down', GONE, 21, 2),
    ran('democtl repair-config web', 'web.conf.json was put back.', 40, 3),
    ran('democtl restart web', 'web is up on port 4.', 41, 3),
    check('healthy', [], 41, 3),
  ]);
  expect(story.slice(2)).toEqual([
    'That didn’t help: web did not start: "workers" must be a whole number.',
    'A restart can’t fix a broken configuration, so tier 3 ran `democtl repair-config web` at 14:02:40 UTC.',
    'It takes a restart to read the repaired configuration, so tier 3 ran `democtl restart web` at 14:02:41 UTC.',
    'It passed its checks again within a second.',
  ]);
});

it('[PAG-3.3] claims no recovery that no check has seen', () => {
  const story = storyOf('web', FIXED_BY_TIER_2.slice(0, 3)).join(' ');
  expect(story).not.toContain('passed');
  const stillDown = storyOf('web', [...FIXED_BY_TIER_2.slice(0, 3), check('down', REFUSED, 25, 2)]);
  expect(stillDown.at(-1)).toBe(
    'That didn’t help: web was still down: its HTTP check failed (connection refused).',
  );
});

it('[PAG-3.3] names what was changed, and that nothing was', () => {
  expect(changesOf([ran('democtl restart web', '', 20, 2)])).toBe(
    'One thing was changed: tier 2 ran `democtl restart web` at 14:02:20 UTC. Everything else only looked.',
  );
  expect(changesOf([])).toBe('Nothing was changed: only checks ran in this conversation.');
});
