import { describe, expect, it } from 'vitest';
import { auditViewOf, entryActor, exportHref, pageToConfirm } from './audit-view';

const now = new Date('2026-11-21T14:00:00Z');

describe('[SAS-6.1] the address of the audit page', () => {
  it('without anything asks for all of the log', () => {
    const view = auditViewOf({}, now);
    expect(view).toMatchObject({ range: 'all', isFiltered: false, span: null });
    expect(exportHref('acme', view.filter, 'csv')).toBe('/acme/audit/entries?format=csv');
  });

  it('carries actor, kind, project and time into the list and its file', () => {
    const { filter, isFiltered } = auditViewOf(
      { actor: 'user:1', action: 'runner', project: 'shop', range: '24h' },
      now,
    );
    expect(isFiltered).toBe(true);
    expect(filter).toEqual({
      actor: 'user:1',
      action: 'runner',
      project: 'shop',
      from: '2026-11-20T14:00:00.000Z',
      to: undefined,
    });
    expect(exportHref('acme', filter, 'jsonl')).toBe(
      '/acme/audit/entries?format=jsonl&actor=user%3A1&action=runner&project=shop&from=2026-11-20T14%3A00%3A00.000Z',
    );
  });

  it('[SEC-1.4] a file that needs a confirmation is asked for by the page with the same entries', () => {
    const asked = { actor: 'user:1', range: '24h' };
    const { filter } = auditViewOf(asked, now);
    const href = pageToConfirm('acme', filter, 'jsonl', now);
    const page = new URL(href, 'http://127.0.0.1');
    expect(page.pathname).toBe('/acme/audit');
    expect(auditViewOf(Object.fromEntries(page.searchParams), now)).toMatchObject({
      filter: { ...filter, to: now.toISOString() },
      wantedFile: 'jsonl',
    });
    expect(pageToConfirm('acme', {}, 'csv', now)).toBe('/acme/audit?export=csv');
  });

  it('leaves out what it doesn’t know', () => {
    const view = auditViewOf({ action: 'nothing', range: 'ever', before: '0', after: '1e9' }, now);
    expect(view).toMatchObject({ isFiltered: false, before: undefined, after: undefined });
    expect(auditViewOf({ before: '12' }, now).before).toBe(12);
  });
});

it.each([
  ['ana@acme.example', 'user:0199', 'ana@acme.example'],
  ['0199', 'user:0199', ''],
  ['token CI', 'api_token:0199', 'CI'],
  ['runner eu-1', 'runner:0199', 'eu-1'],
  ['system', 'system:schedule', 'system'],
])('is named %s', (name, actor, actorLabel) => {
  expect(entryActor({ actor, actorLabel })).toBe(name);
});
