/** Quiet hours of a channel, and what happens to a message in them: pure. */

import { z } from 'zod';
import type { AlertSubject } from '../alert';
import type { Message } from '../message';
import { PAGED_EVENT } from '../paged-event';
import { endOfCurrent, timeZoneSchema, weeklyFields } from '../week';

export const quietHoursSchema = z
  .strictObject({ timeZone: timeZoneSchema, ...weeklyFields })
  .meta({ description: 'When warnings and notices wait. Critical messages are sent at any time.' });
export type QuietHours = z.infer<typeof quietHoursSchema>;

/** Returns when the quiet hours end that `now` is in; null outside them. */
export function quietUntil(quiet: QuietHours | null, now: Date): Date | null {
  return quiet && endOfCurrent(quiet, quiet.timeZone, now);
}

export interface AdmissionFacts {
  eventType: string;
  tone: Message['tone'];
  /** Null for a plain notice. */
  alert: Pick<AlertSubject, 'status' | 'severity'> | null;
  /** The channel keeps the state of an alert, as on-call services do. */
  alertsOnly: boolean;
  /** The incident it is about, as it is now; null if it is about something else, or that is gone. */
  incident: { state: string; severity: string } | null;
  /** Whether a person has stopped the messages about it. */
  isSilenced: boolean;
  /** Whether it has waited for the end of quiet hours itself. */
  wasHeld: boolean;
  /** Whether it was written in quiet hours, and may have waited for one that was held. */
  isOfQuietHours: boolean;
  /** Whether a later message about the same subject is to be sent. */
  hasLater: boolean;
  /** Whether quiet hours dropped every earlier message about the subject: the channel has received none. */
  isUnknownOutage: boolean;
}

export type Admission = { kind: 'send' } | { kind: 'cancel' } | { kind: 'hold'; until: Date };

const SEND: Admission = { kind: 'send' };
const CANCEL: Admission = { kind: 'cancel' };

/** Never held: an answer is needed before it expires, or a person has just asked for it. */
const AT_ANY_TIME = ['approval.requested', 'channel.test', 'channel.test_ended'];

/**
 * Decides whether a message is sent now. After quiet hours a person receives what is still open, and not the
 * history of the night. A step of paging is dropped once someone works on the incident
 * or silences it, and so is what waited for the end of quiet hours.
 *
 * @param until when the channel's quiet hours end; null outside them
 */
export function admitMessage(facts: AdmissionFacts, until: Date | null): Admission {
  const { eventType, incident, isSilenced, hasLater, isUnknownOutage } = facts;
  const isEnd = isEndOfIncident(eventType);
  const wasHeld = facts.wasHeld || (facts.isOfQuietHours && isHoldable(facts));
  if (eventType === PAGED_EVENT && (incident?.state !== 'open' || isSilenced)) return CANCEL;
  if (wasHeld && (hasLater || (isSilenced && !isEnd))) return CANCEL;
  if (wasHeld && incident?.state === 'resolved' && !isEnd) return CANCEL;
  if (isEnd && isUnknownOutage) return CANCEL;
  if (until === null || !isHoldable(facts)) return SEND;
  // Afterwards it would be out of date.
  return eventType === 'incident.verifying' ? CANCEL : { kind: 'hold', until };
}

/** Whether a message says that an incident is over, at least as one of its own. */
export function isEndOfIncident(eventType: string): boolean {
  return eventType === 'incident.resolved' || eventType === 'incident.merged';
}

function isHoldable({ eventType, tone, alert, alertsOnly, incident }: AdmissionFacts): boolean {
  if (AT_ANY_TIME.includes(eventType)) return false;
  if (!alert) return tone !== 'failure';
  // Closing an alert makes no sound, and one that stays open keeps paging.
  if (alertsOnly && alert.status !== 'firing') return false;
  return (incident ?? alert).severity !== 'critical';
}
