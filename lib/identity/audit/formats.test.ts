import { describe, expect, it } from 'vitest';
import { exportHead, exportLines } from './export-audit';
import type { AuditEntryDto } from './schema';

const entry: AuditEntryDto = {
  seq: 3,
  at: '2026-11-21T14:00:00.000Z',
  actor: 'user:0199',
  actorLabel: '=ana@acme.example',
  action: 'runner.changed',
  target: 'rnr_1',
  project: null,
  detail: { before: { slots: 2 }, after: { slots: 4 }, name: 'eu-1' },
  hash: 'ab',
};

describe('[SAS-6.1] the exported log', () => {
  it('as CSV has a column for before, after and the other facts, and runs no formula', () => {
    expect(exportHead('csv')).toBe(
      '\uFEFFseq,at,actor,actor_name,action,target,project,before,after,facts,hash\r\n',
    );
    expect(exportLines('csv', [entry])).toBe(
      `3,2026-11-21T14:00:00.000Z,user:0199,'=ana@acme.example,runner.changed,rnr_1,,"{""slots"":2}","{""slots"":4}","{""name"":""eu-1""}",ab\r\n`,
    );
    expect(exportLines('csv', [{ ...entry, detail: {} }])).toMatch(/rnr_1,,,,,ab\r\n$/);
  });

  it('[SEC-3.4] has no character that acts on a terminal, and JSON lines keep the value', () => {
    const hostile = { ...entry, actorLabel: '\u202egpj \u001b[2J\u009b31m' };
    const [csv, jsonl] = [exportLines('csv', [hostile]), exportLines('jsonl', [hostile])];
    expect(csv).toContain('<U+202E>gpj ␛[2J<U+009B>31m');
    expect(jsonl).toMatch(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(jsonl)).toEqual(hostile);
  });

  it('as JSON lines is what the API answers, one entry a line', () => {
    const lines = exportLines('jsonl', [entry, { ...entry, seq: 2 }]).split('\n');
    expect(exportHead('jsonl')).toBe('');
    expect(lines.map((line) => (line ? JSON.parse(line) : null))).toEqual([
      entry,
      { ...entry, seq: 2 },
      null,
    ]);
  });
});
