import { describe, expect, it } from 'vitest';
import { WEEKDAYS } from '../weekdays';
import { type AdmissionFacts, admitMessage, quietHoursSchema, quietUntil } from './quiet-hours';

const UNTIL = new Date('2026-11-27T07:00:00.000Z');
const WARNING = { state: 'open', severity: 'warning' };
const CRITICAL = { state: 'open', severity: 'critical' };
const OVER = { state: 'resolved', severity: 'warning' };

const alert = (status: 'firing' | 'acknowledged' | 'resolved', severity = 'warning') =>
  ({ status, severity }) as NonNullable<AdmissionFacts['alert']>;

/** A message that an incident of a warning has opened. */
const OPENED: AdmissionFacts = {
  ...{ eventType: 'incident.opened', tone: 'failure', alert: alert('firing'), incident: WARNING },
  ...{ alertsOnly: false, isSilenced: false, wasHeld: false, isOfQuietHours: false },
  ...{ hasLater: false, isUnknownOutage: false },
};
const END: Partial<AdmissionFacts> = {
  eventType: 'incident.resolved',
  tone: 'success',
  alert: alert('resolved'),
  incident: OVER,
};
const notice = (eventType: string, tone: AdmissionFacts['tone']): Partial<AdmissionFacts> => ({
  ...{ eventType, tone, alert: null, incident: null },
});
const ONCALL = { alertsOnly: true };
const STEP = { eventType: 'incident.paged' };
const HELD = { wasHeld: true };

describe('[INC-2.2] in quiet hours', () => {
  it.each<[string, Partial<AdmissionFacts>, 'send' | 'cancel' | 'hold']>([
    ['a warning waits', {}, 'hold'],
    [
      'a critical incident doesn’t',
      { incident: CRITICAL, alert: alert('firing', 'critical') },
      'send',
    ],
    ['one that became critical doesn’t', { ...HELD, incident: CRITICAL }, 'send'],
    ['a step of a warning waits', STEP, 'hold'],
    ['a step of a critical incident doesn’t', { ...STEP, incident: CRITICAL }, 'send'],
    ['the end of a warning waits', END, 'hold'],
    ['the end of an alert that pages doesn’t', { ...END, ...ONCALL }, 'send'],
    [
      'an acknowledgement of one that pages doesn’t',
      { ...ONCALL, alert: alert('acknowledged') },
      'send',
    ],
    ['a warning that pages waits', ONCALL, 'hold'],
    [
      'a chain that needs a human doesn’t',
      { eventType: 'chain.completed', incident: null, alert: alert('firing', 'critical') },
      'send',
    ],
    ['a runner that is offline doesn’t', notice('runner.offline', 'failure'), 'send'],
    ['a budget’s warning waits', notice('budget.warning', 'warning'), 'hold'],
    ['a chain that started waits', notice('chain.started', 'info'), 'hold'],
    ['a request for approval doesn’t', notice('approval.requested', 'warning'), 'send'],
    ['a test doesn’t', notice('channel.test', 'info'), 'send'],
    ['a verification isn’t reported at all', notice('incident.verifying', 'info'), 'cancel'],
    [
      'a step isn’t sent once someone works on it',
      { ...STEP, incident: { ...CRITICAL, state: 'acknowledged' } },
      'cancel',
    ],
    ['nor once it is silenced', { ...STEP, incident: CRITICAL, isSilenced: true }, 'cancel'],
  ])('%s', (_, changes, kind) => {
    expect(admitMessage({ ...OPENED, ...changes }, UNTIL).kind).toBe(kind);
  });

  it('holds until their end', () => {
    expect(admitMessage(OPENED, UNTIL)).toEqual({ kind: 'hold', until: UNTIL });
  });
});

describe('[INC-2.2] after quiet hours', () => {
  it.each<[string, Partial<AdmissionFacts>, 'send' | 'cancel']>([
    ['what is still open is sent', HELD, 'send'],
    ['what was resolved meanwhile isn’t', { ...HELD, incident: OVER }, 'cancel'],
    ['nor is its end', { ...END, isUnknownOutage: true }, 'cancel'],
    ['the end of what was sent before is', { ...END, ...HELD }, 'send'],
    ['what was silenced meanwhile isn’t', { ...HELD, isSilenced: true }, 'cancel'],
    ['its end is', { ...END, ...HELD, isSilenced: true }, 'send'],
    [
      'a merge closes the alert',
      { ...END, ...HELD, ...ONCALL, eventType: 'incident.merged' },
      'send',
    ],
    [
      'unless that was never opened',
      { ...END, ...ONCALL, eventType: 'incident.merged', isUnknownOutage: true },
      'cancel',
    ],
    ['of several messages the last is sent', { ...HELD, hasLater: true }, 'cancel'],
    ['of several that waited for it, too', { isOfQuietHours: true, hasLater: true }, 'cancel'],
    [
      'each message of a critical incident is sent',
      { isOfQuietHours: true, hasLater: true, incident: CRITICAL },
      'send',
    ],
    ['a step is sent while nobody works on it', { ...HELD, ...STEP }, 'send'],
    ['a step isn’t sent if its incident is gone', { ...STEP, incident: null }, 'cancel'],
    ['a notice is sent', { ...HELD, ...notice('budget.warning', 'warning') }, 'send'],
  ])('%s', (_, changes, kind) => {
    expect(admitMessage({ ...OPENED, ...changes }, null).kind).toBe(kind);
  });
});

it('[INC-2.2] quiet hours end on the clocks of their zone, and a channel may have none', () => {
  const quiet = { timeZone: 'Europe/Berlin', days: [...WEEKDAYS], from: '22:00', to: '07:00' };
  expect(quietUntil(quiet, new Date('2026-11-26T21:30Z'))).toEqual(new Date('2026-11-27T06:00Z'));
  expect(quietUntil(quiet, new Date('2026-11-27T06:00Z'))).toBeNull();
  expect(quietUntil(null, UNTIL)).toBeNull();
  expect(quietHoursSchema.safeParse({ ...quiet, timeZone: 'Mars' }).success).toBe(false);
});
