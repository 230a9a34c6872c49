/** What people and other systems are notified of, and how each notice reads. Pure. */
import { acknowledgementOf, needOf } from './incident';
import type { ShownIncident } from './incident-rows';
import { type Clock, failureSentence, firstError, summaryOf, verifyingSentence } from './sentences';
import type { IncidentNotice } from './states';

interface Notice {
  /** After `Incident #3`. */
  title: string;
  tone: 'info' | 'success' | 'warning' | 'failure';
  /** What on-call services keep for the incident from then on; null if that stays as it is. */
  alertStatus: 'firing' | 'acknowledged' | 'resolved' | null;
  summary(incident: ShownIncident, clock: Clock): string;
}

export const NOTICES: Readonly<Record<IncidentNotice, Notice>> = {
  opened: { title: 'opened', tone: 'failure', alertStatus: 'firing', summary: failureWithError },
  needs_human: {
    title: 'needs a human',
    tone: 'failure',
    alertStatus: 'firing',
    summary(incident, clock) {
      const last = incident.chains.at(-1);
      const why =
        last?.outcome && !needOf(incident)?.unproven
          ? ` Chain #${last.number}: ${last.statusText}`
          : '';
      return `${failureSentence(incident, clock)} It needs a human.${why}`;
    },
  },
  acknowledged: {
    title: 'was acknowledged',
    tone: 'info',
    alertStatus: 'acknowledged',
    summary: (incident, clock) =>
      `${acknowledgementOf(incident)?.by ?? 'A person'} acknowledged it. ${failureSentence(incident, clock)}`,
  },
  verifying: {
    title: 'is being verified',
    tone: 'info',
    // It may still fail again: an on-call service would open a second alert for the same outage.
    alertStatus: null,
    summary: verifyingSentence,
  },
  verification_failed: {
    title: 'failed its verification',
    tone: 'warning',
    alertStatus: null,
    summary: failureSentence,
  },
  resolved: {
    title: 'is resolved',
    tone: 'success',
    alertStatus: 'resolved',
    summary: summaryOf,
  },
  merged: {
    title: 'was merged into another one',
    tone: 'info',
    // The alert of the other incident stays.
    alertStatus: 'resolved',
    summary: summaryOf,
  },
  reopened: {
    title: 'was reopened',
    tone: 'failure',
    alertStatus: 'firing',
    summary: failureWithError,
  },
};

function failureWithError(incident: ShownIncident, clock: Clock): string {
  const error = firstError(incident.services);
  const failure = failureSentence(incident, clock);
  return error ? `${failure} ${error}` : failure;
}
