import { expect, it } from 'vitest';
import type { CallRow } from '../chains/data';
import { toActions } from './actions';

const row = (changes: Partial<CallRow> = {}): CallRow => ({
  ...{ sessionId: 's', tier: 2, seq: 12, tool: 'Bash', harness: null, toolUseId: 'a/1' },
  ...{ input: { command: 'systemctl restart web' }, at: new Date('2026-11-26T03:04:00Z') },
  ...{ isConfined: false, isDenied: false, isError: false, exitCode: 0 },
  ...{ isLeftRunning: false, endedAt: null },
  ...changes,
});

const rules = new Map([['a/1', { rule: 'systemctl restart *', refusal: null }]]);
const actionsOf = (changing: CallRow[], denied: CallRow[] = []) =>
  toActions({ changing, denied }, rules, [{ id: 's', number: 9 }], '/acme/projects/shop');

it('[INC-3.3] lists commands with tier, decision and the place in the log', () => {
  expect(actionsOf([row()])).toEqual([
    {
      ...{ at: new Date('2026-11-26T03:04:00Z'), tier: 2, what: 'systemctl restart web' },
      ...{ isDenied: false, rule: 'systemctl restart *', refusal: null, exitCode: 0 },
      mayStillRun: false,
      evidence: { label: 'Session #9', path: '/acme/projects/shop/sessions/9?event=12' },
    },
  ]);
});

it('[INC-3.3] puts denied ones in their place, and knows no rule where none is stored', () => {
  const early = row({
    ...{ at: new Date('2026-11-26T03:03:00Z'), isDenied: true, toolUseId: 'b/1' },
    ...{ tool: 'Edit', input: { file_path: '/etc/app.conf', new_string: 'x' } },
  });
  expect(actionsOf([row()], [early])).toMatchObject([
    { what: 'Edit /etc/app.conf', isDenied: true, rule: null },
    { what: 'systemctl restart web', isDenied: false },
  ]);
});

it('[INC-3.3] shows no secret of a command', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const [action] = actionsOf([row({ input: { command: `curl -H "X: ${secret}" x` } })]);
  expect(action?.what).not.toContain(secret);
});
