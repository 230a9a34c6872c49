import { describe, expect, it } from 'vitest';
import type { IncidentEvent } from '@/lib/incidents/events/registry';
import { leftOutEntry, type TimelineFacts, timelineOf } from './evidence';

const at = (clock: string) => new Date(`2026-11-26T${clock}:00Z`);

const FACTS: TimelineFacts = {
  ...{ organizationRoot: '/acme', projectRoot: '/acme/projects/shop', incidentNumber: 3 },
  newestSequence: 7,
  services: new Map([
    ['s', { name: 'web shop', isRemoved: false }],
    ['old', { name: 'old', isRemoved: true }],
  ]),
  chains: new Map([['c', { number: 5, changing: 0, denied: 0 }]]),
  ...{ events: [], approvals: [], messages: [], unreached: [] },
};

const fails = (serviceId: string): IncidentEvent => ({
  ...{ kind: 'service_failing', serviceId, name: 'web shop', status: 'down', error: '' },
  failingSince: at('03:00').toISOString(),
});
const one = (event: IncidentEvent, facts: Partial<TimelineFacts> = {}) =>
  timelineOf({ ...FACTS, ...facts, events: [{ sequence: 7, at: at('03:02'), event }] })[0];

describe('[INC-3.3] every line of the timeline names its evidence', () => {
  it.each<[IncidentEvent, string, string]>([
    [fails('s'), 'check_results', '/acme/projects/shop/services/web%20shop'],
    [
      { kind: 'service_recovered', serviceId: 's' },
      'check_results',
      '/acme/projects/shop/services/web%20shop',
    ],
    [fails('old'), 'incident', '/acme/projects/shop/incidents/3#event-7'],
    [fails('gone'), 'incident', '/acme/projects/shop/incidents/3#event-7'],
    [{ kind: 'chain_started', chainId: 'c' }, 'chain', '/acme/projects/shop/chains/5'],
    [
      { kind: 'chain_started', chainId: 'x' },
      'incident',
      '/acme/projects/shop/incidents/3#event-7',
    ],
    [{ kind: 'verified' }, 'check_results', '/acme/projects/shop/services/web%20shop'],
    [
      { kind: 'merged', by: 'Ana', note: '', into: { incidentId: 'i', number: 4 } },
      'incident',
      '/acme/projects/shop/incidents/4',
    ],
    [{ kind: 'needs_human' }, 'incident', '/acme/projects/shop/incidents/3#event-7'],
    [
      { kind: 'acknowledged', by: 'Ana', endsAt: null, note: '' },
      'incident',
      '/acme/projects/shop/incidents/3#event-7',
    ],
  ])('%j', (event, kind, path) => {
    expect(one(event)?.evidence).toMatchObject({ kind, path });
  });

  it('an event that isn’t on the first page leads to the page that has it', () => {
    const pathOf = (newestSequence: number) =>
      one({ kind: 'needs_human' }, { newestSequence })?.evidence.path;
    expect(pathOf(106)).toBe('/acme/projects/shop/incidents/3#event-7');
    expect(pathOf(107)).toBe('/acme/projects/shop/incidents/3?until=7#event-7');
  });

  it('what needs a human rests on the last chain before it', () => {
    const timeline = timelineOf({
      ...FACTS,
      events: [
        {
          ...{ sequence: 1, at: at('03:02') },
          event: { kind: 'chain_ended', chainId: 'c', outcome: 'failed', text: '' },
        },
        { sequence: 2, at: at('03:04'), event: { kind: 'needs_human' } },
      ],
    });
    expect(timeline[1]?.evidence).toMatchObject({ path: '/acme/projects/shop/chains/5' });
  });
});

describe('[INC-2.1] the timeline holds commands, approvals and messages', () => {
  it.each<[number, number, string]>([
    [0, 0, 'Chain #5 ended. Fixed.'],
    [1, 0, 'Chain #5 ended. Fixed. 1 command may have changed something.'],
    [4, 1, 'Chain #5 ended. Fixed. 4 commands may have changed something, 1 was denied.'],
    [4, 2, 'Chain #5 ended. Fixed. 4 commands may have changed something, 2 were denied.'],
    [0, 1, 'Chain #5 ended. Fixed. 1 command was denied.'],
    [0, 3, 'Chain #5 ended. Fixed. 3 commands were denied.'],
  ])('%i commands, %i denied', (changing, denied, text) => {
    const chains = new Map([['c', { number: 5, changing, denied }]]);
    const event = { kind: 'chain_ended', chainId: 'c', outcome: 'fixed', text: 'Fixed.' } as const;
    expect(one(event, { chains })?.text).toBe(text);
  });

  it('approvals from the request to each vote, in their place', () => {
    const timeline = timelineOf({
      ...FACTS,
      events: [{ sequence: 1, at: at('03:02'), event: { kind: 'chain_started', chainId: 'c' } }],
      approvals: [
        {
          ...{ id: 'apr_1', tier: 2, command: 'systemctl restart web', status: 'approved' },
          ...{ requestedAt: at('03:03'), decidedAt: at('03:09'), allowedAgain: null },
          votes: [
            { person: 'ana@acme.test', verdict: 'approve', note: 'Go.', at: at('03:05') },
            { person: 'tom@acme.test', verdict: 'refuse', note: '', at: at('03:09') },
          ],
        },
        {
          ...{ id: 'apr_2', tier: 3, command: null, status: 'expired', votes: [] },
          ...{ requestedAt: at('03:01'), decidedAt: at('03:31'), allowedAgain: null },
        },
      ],
    });
    expect(timeline.map(({ text }) => text)).toEqual([
      'Approval requested: the start of tier 3.',
      'Chain #5 started.',
      'Approval requested: systemctl restart web (tier 2).',
      'ana@acme.test approved systemctl restart web (tier 2). Go.',
      'tom@acme.test refused systemctl restart web (tier 2).',
      'Nobody decided in time: the start of tier 3.',
    ]);
    expect(timeline[2]?.evidence).toEqual({
      ...{ kind: 'approval', label: 'Approval', path: '/acme/approvals/apr_1' },
    });
  });

  it('messages about one thing are one line, with where they went and whether they arrived', () => {
    const message = (channelName: string, status: string, occasion = 'a') => ({
      ...{ at: at('03:02'), eventType: 'incident.needs_human', occasion, channelName, status },
      channelKind: 'E-mail',
    });
    const texts = timelineOf({
      ...FACTS,
      messages: [message('ops', 'delivered'), message('night', 'retrying')],
    }).map(({ text }) => text);
    expect(texts).toEqual([
      'Notification “needs human”: E-mail to ops, delivered; E-mail to night, failed so far, will be retried.',
    ]);
    const many = Array.from({ length: 7 }, (_, index) => message(`c${index}`, 'delivered'));
    expect(timelineOf({ ...FACTS, messages: many })[0]?.text).toMatch(/; 2 more\.$/);
    const two = [message('ops', 'delivered', 'a'), message('ops', 'exhausted', 'b')];
    expect(timelineOf({ ...FACTS, messages: two })).toHaveLength(2);
  });

  it('says how many steps of paging are left out, before the first message', () => {
    const message = { ...{ at: at('03:04'), eventType: 'incident.escalated', occasion: 'a' } };
    const timeline = timelineOf({
      ...FACTS,
      messages: [{ ...message, channelName: 'ops', status: 'delivered', channelKind: 'E-mail' }],
    });
    expect(leftOutEntry(1_200, timeline, '/acme')).toMatchObject({
      ...{ at: at('03:04').toISOString(), kind: 'notified', sequence: null },
      text: '1,200 earlier steps of paging aren’t listed here.',
      evidence: { path: '/acme/settings/notifications' },
    });
  });
});
