import { describe, expect, it } from 'vitest';
import type { IncidentDetail } from '@/lib/incidents/view';
import type { SignalOfIncident } from './get-signals';
import { type PostMortemFacts, writePostMortem } from './write-post-mortem';

const at = (clock: string) => `2026-11-26T${clock}.000Z`;

const INCIDENT: IncidentDetail = {
  ...{ id: 'inc_1', number: 3, state: 'resolved', severity: 'critical', source: 'check' },
  project: { id: 'prj_1', slug: 'shop', name: 'Shop' },
  ...{
    title: 'web down',
    summary: 'web has been healthy since 2026-11-26 03:12 UTC, after 12 min.',
  },
  services: [
    {
      ...{ name: 'web', status: 'healthy', worst: 'down', error: 'Connection refused.' },
      ...{ failingSince: at('03:00:10'), recoveredAt: at('03:12:10'), removedAt: null },
    },
  ],
  ...{ startedAt: at('03:00:10'), openedAt: at('03:02:00') },
  ...{ acknowledgedAt: null, acknowledgedBy: null, acknowledgementEndsAt: null },
  ...{ verifyingSince: at('03:12:10'), resolvedAt: at('03:22:10'), resolution: 'fixed' },
  ...{ resolvedBy: null, reopenings: 0, needsHumanSince: null },
  chains: [{ id: 'chn_1', number: 5, outcome: 'fixed', highestTier: 2 }],
  ...{ costUsd: 0.42, earlier: null, alerts: null, mergedInto: null, mergedFrom: [] },
  ...{ silencedBy: null, silencedUntil: null },
  ...{ earlierEvents: 0, earlierUntil: null, laterUntil: null },
  timeline: [
    {
      ...{ sequence: 1, at: at('03:02:00'), kind: 'service_failing', chainNumber: null },
      text: 'web is down. Connection refused.',
      evidence: {
        ...{ kind: 'check_results', label: 'Checks of web' },
        path: '/acme/projects/shop/services/web',
      },
    },
    {
      ...{ sequence: 2, at: at('03:05:00'), kind: 'acknowledged', chainNumber: null },
      text: 'Ana acknowledged it.',
      evidence: {
        ...{ kind: 'incident', label: 'Incident #3' },
        path: '/acme/projects/shop/incidents/3#event-2',
      },
    },
    {
      ...{ sequence: 3, at: at('03:22:10'), kind: 'verified', chainNumber: null },
      text: 'All checks have passed for the whole window. It is resolved.',
      evidence: {
        ...{ kind: 'check_results', label: 'Checks of web' },
        path: '/acme/projects/shop/services/web',
      },
    },
  ],
};

const FACTS: PostMortemFacts = {
  incident: INCIDENT,
  actions: [
    {
      ...{ at: new Date(at('03:04:00')), tier: 2, what: 'systemctl restart web', isDenied: false },
      ...{ rule: 'systemctl restart *', refusal: null, exitCode: 0, mayStillRun: false },
      evidence: { label: 'Session #9', path: '/acme/projects/shop/sessions/9?event=12' },
    },
  ],
  alerts: { alerts: [], count: 0 },
  costs: new Map([['chn_1', { micros: 420_000, isEstimated: false }]]),
  ...{ publicUrl: 'https://tierwatch.example', organizationRoot: '/acme' },
  now: new Date(at('09:00:00')),
};

const SIGNAL: SignalOfIncident = {
  ...{ id: 'alt_1', title: 'High latency', source: { id: 'als_1', name: 'Prometheus' } },
  ...{ severity: 'critical', status: 'resolved', service: 'web', repeats: 12 },
  ...{ startedAt: new Date(at('03:01:00')), endedAt: new Date(at('03:14:00')) },
};

const write = (incident: Partial<IncidentDetail> = {}, facts: Partial<PostMortemFacts> = {}) =>
  writePostMortem({ ...FACTS, ...facts, incident: { ...INCIDENT, ...incident } });

/** The lines below a heading. */
const section = (text: string, heading: string) =>
  (text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').trim();

describe('[INC-3.3] the post-mortem', () => {
  it('is this document', () => {
    expect(write()).toMatchInlineSnapshot(`
      "# Post-mortem: Incident #3, web down

      web has been healthy since 2026-11-26 03:12 UTC, after 12 min.

      Project Shop, [Incident #3](https://tierwatch.example/acme/projects/shop/incidents/3). Exported 2026-11-26 09:00:00 UTC.

      ## Impact

      - Severity: critical
      - Began: 2026-11-26 03:00:10 UTC
      - Recovered: 2026-11-26 03:12:10 UTC, after 12m 00s

      Services:

      - \`web\`: down from 2026-11-26 03:00:10 to 2026-11-26 03:12:10 UTC, 12m 00s. Check: Connection refused.

      ## Timeline

      All times are in UTC.

      - 2026-11-26 03:02:00: web is down. Connection refused. [Checks of web](https://tierwatch.example/acme/projects/shop/services/web)
      - 2026-11-26 03:05:00: Ana acknowledged it. [Incident #3](https://tierwatch.example/acme/projects/shop/incidents/3#event-2)
      - 2026-11-26 03:22:10: All checks have passed for the whole window. It is resolved. [Checks of web](https://tierwatch.example/acme/projects/shop/services/web)

      ## What was done

      - 2026-11-26 03:04:00: tier 2, \`systemctl restart web\`: allowed by rule \`systemctl restart *\`, exit 0. [Session #9](https://tierwatch.example/acme/projects/shop/sessions/9?event=12)

      ## Cost

      - Total: $0.42
      - [Chain #5](https://tierwatch.example/acme/projects/shop/chains/5): $0.42, up to tier 2, fixed

      ## People

      - 2026-11-26 03:05:00: Ana acknowledged it.

      ## Resolution

      web has been healthy since 2026-11-26 03:12 UTC, after 12 min.

      All checks passed from 2026-11-26 03:12:10 to 2026-11-26 03:22:10 UTC. Proof: [Checks of web](https://tierwatch.example/acme/projects/shop/services/web)

      ## Open questions
      "
    `);
  });

  it('has in every line of the timeline a link to one of our pages', () => {
    const lines = section(write(), 'Timeline')
      .split('\n')
      .filter((line) => line.startsWith('- '));
    expect(lines).toHaveLength(INCIDENT.timeline.length);
    for (const line of lines) {
      expect(line).toMatch(/\]\(https:\/\/tierwatch\.example\/acme\/\S+\)$/);
    }
  });

  it.each<[string, Partial<IncidentDetail>, RegExp]>([
    [
      'open',
      { state: 'open', resolution: null, resolvedAt: null },
      /^It isn’t resolved\. State: open\.$/,
    ],
    [
      'by a person',
      { resolution: 'manual', resolvedBy: 'Ana', verifyingSince: null },
      /^Ana resolved it at 2026-11-26 03:22:10 UTC\. No checks proved the recovery\.$/,
    ],
    [
      'without a fix',
      { resolution: 'recovered' },
      /All checks passed from 2026-11-26 03:12:10 to 2026-11-26 03:22:10 UTC\. Proof: \[Checks of web\]/,
    ],
  ])('says how it ended: %s', (_, changes, words) => {
    expect(section(write(changes), 'Resolution')).toMatch(words);
  });

  it('says what is unknown instead of a zero or an invention', () => {
    const bare = write({ chains: [], timeline: [], costUsd: 0 }, { actions: [], costs: new Map() });
    expect(section(bare, 'What was done')).toMatch(/^- No command .* is recorded/);
    expect(section(bare, 'Cost')).toBe('- No chain looked at it, so it cost nothing.');
    expect(section(bare, 'People')).toMatch(/^- Nobody /);
    expect(section(write({}, { costs: new Map() }), 'Cost')).toContain(
      'unknown, nothing was booked',
    );
    expect(bare.endsWith('## Open questions\n')).toBe(true);
  });

  it('names services that still fail with their length so far', () => {
    const services = [{ ...INCIDENT.services[0], status: 'down', recoveredAt: null }];
    const text = write({
      ...{ state: 'open', verifyingSince: null, resolvedAt: null },
      services: services as IncidentDetail['services'],
    });
    expect(section(text, 'Impact')).toContain('Not recovered: 5h 59m so far');
    expect(section(text, 'Impact')).toContain('still down, 5h 59m so far');
  });

  it('says why a command was denied, and what may still run', () => {
    const [action] = FACTS.actions;
    if (!action) throw new Error('no action');
    const denied = { ...action, isDenied: true, refusal: 'No rule allows it.' };
    const running = { ...action, mayStillRun: true, rule: null };
    const done = section(write({}, { actions: [denied, running] }), 'What was done');
    expect(done).toContain('denied by rule `systemctl restart *`. No rule allows it. [Session');
    expect(done).toContain('allowed, it may still run. [Session');
  });

  it('lists alerts with their source, and how many are left out', () => {
    const firing: SignalOfIncident = {
      ...SIGNAL,
      ...{ status: 'firing', endedAt: null, service: null, repeats: 0, severity: 'error' },
    };
    const stale: SignalOfIncident = { ...SIGNAL, status: 'stale', repeats: 1 };
    const found = { alerts: [firing, SIGNAL, stale], count: 40 };
    const source =
      '[Prometheus](https://tierwatch.example/acme/projects/shop/settings/alerts?source=als_1)';
    expect(section(write({}, { alerts: found }), 'Alerts').split('\n')).toEqual([
      `- High latency: error, no service, since 2026-11-26 03:01:00 UTC, still firing. ${source}`,
      `- High latency: critical, \`web\`, since 2026-11-26 03:01:00 UTC, ended 2026-11-26 03:14:00 UTC, as the source reports, repeated 12 times. ${source}`,
      `- High latency: critical, \`web\`, since 2026-11-26 03:01:00 UTC, last reported 2026-11-26 03:14:00 UTC, its end is unknown, repeated once. ${source}`,
      '- 37 older alerts not listed.',
    ]);
    expect(write()).not.toContain('## Alerts');
  });

  it('links to the events before those of its timeline', () => {
    const text = write({ earlierEvents: 8_000, earlierUntil: 8_000 });
    expect(section(text, 'Timeline')).toContain(
      '- 8,000 earlier events: [Incident #3](https://tierwatch.example/acme/projects/shop/incidents/3?until=8000)\n- 2026',
    );
  });

  it('lists a bounded number of commands', () => {
    const actions = Array.from({ length: 203 }, () => FACTS.actions[0] as never);
    expect(section(write({}, { actions }), 'What was done')).toMatch(/\n- 3 more, /);
  });

  it('keeps hostile names and texts inside of their line', () => {
    const hostile = '\n\n# Owned\n[x](https://evil.example) <img src=x>';
    const signal = { ...SIGNAL, title: hostile, service: hostile };
    const signals = { alerts: [{ ...signal, source: { id: 'als_1', name: hostile } }], count: 1 };
    const incident: Partial<IncidentDetail> = {
      title: `web${hostile} down`,
      summary: hostile,
      project: { ...INCIDENT.project, name: hostile },
      services: [
        {
          ...(INCIDENT.services[0] as IncidentDetail['services'][number]),
          name: hostile,
          error: hostile,
        },
      ],
      timeline: INCIDENT.timeline.map((entry) => ({ ...entry, text: hostile })),
    };
    const text = write(incident, { alerts: signals });
    const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
    expect(count(/^# /gm)).toBe(1);
    expect(count(/^## /gm)).toBe(8);
    expect(section(text, 'Alerts').split('\n')).toHaveLength(1);
    // Outside of code spans no bracket, no angle and no address of theirs is left bare.
    const bare = text.replaceAll(/(`+)[^`].*?\1/g, '');
    expect(bare).not.toMatch(/evil\.example|(?<!\\)<img/);
  });
});
