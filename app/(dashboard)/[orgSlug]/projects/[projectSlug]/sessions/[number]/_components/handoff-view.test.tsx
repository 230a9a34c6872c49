import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { cooldownLines, HandoffView } from './handoff-view';

const OLD = {
  schema_version: 1,
  recommended_tier: 2,
  services_affected: ['web'],
  check_results: [{ service: 'web', check_type: 'http', status: 'down', error: 'answered 503' }],
  cooldown_state: {},
};

function draw(payload: Record<string, unknown>): string {
  const handoff = {
    fromSessionId: 'ses_1',
    toTier: 2,
    source: 'built' as const,
    payload,
    createdAt: '2026-11-23T12:00:00.000Z',
  };
  return renderToStaticMarkup(
    createElement(HandoffView, { title: 'To tier 2', handoff, use: 'Session #2 started.' }),
  );
}

describe('the handoff of a session', () => {
  it('[ENG-5.3] shows summary, reason, findings, details and what earlier tiers reported', () => {
    const finding = { service: 'db', severity: 'critical', message: 'The disk is full.' };
    const html = draw({
      ...OLD,
      summary: 'web is down.',
      escalation_reason: 'Needs a restart.',
      findings: [finding],
      check_results: [{ ...OLD.check_results[0], detail: 'since 11:52' }],
      earlier_reports: [{ tier: 1, summary: 'web was slow.' }],
    });
    const visible = html.split('<details')[0] ?? '';
    for (const text of [
      'Summary',
      'web is down.',
      'Reason for escalating',
      'Needs a restart.',
      'Findings',
      'Critical',
      'The disk is full.',
      'since 11:52',
      'Reported earlier by tier 1',
      'web was slow.',
    ]) {
      expect(visible).toContain(text);
    }
  });

  it('still shows one that was stored before these fields existed', () => {
    const html = draw(OLD);
    expect(html).toContain('answered 503');
    expect(html).not.toMatch(/Summary|Reason for escalating|Findings|Reported earlier/);
  });
});

const rule = (used: number, nextAllowedAt: string | null = null) => {
  return { used, limit: 2, window_seconds: 14_400, next_allowed_at: nextAllowedAt };
};

it('says for each service how much of each rule is used', () => {
  const at = '2026-11-21T16:40:00.000Z';
  expect(cooldownLines({ web: { restart: rule(2, at) }, api: { restart: rule(0) } })).toEqual([
    { service: 'web', text: 'restart: 2 of 2 in 4h', nextAllowedAt: at },
    { service: 'api', text: 'restart: 0 of 2 in 4h', nextAllowedAt: null },
  ]);
});

it.each([[{ note: 'from the file' }], [{ web: { restart: rule(1) }, note: 'mixed' }]])(
  'leaves a shape of the agent’s own alone: %j',
  (state) => {
    expect(cooldownLines(state)).toBeNull();
  },
);
