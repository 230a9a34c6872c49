import { z } from 'zod';
import { count, flag, seconds } from './setting';

export const MIN_CHECK_INTERVAL_SECONDS = 30;
const MAX_RESULTS = 20;

/** How runners run a project's checks without an agent. Part of its configuration. */
export const monitoringSettingsSchema = z
  .object({
    everySeconds: seconds(MIN_CHECK_INTERVAL_SECONDS, 86_400, {
      label: 'Time between checks',
      hint: 'Of checks without an interval of their own.',
      doc: 'Seconds between two runs of a check; null: checks run in chains only.',
      comment: 'seconds; null: checks run in chains only',
      control: {
        kind: 'span',
        perSecond: 1,
        toggle: {
          label: 'Run the checks of the services',
          hint: 'A runner of the pool runs them. They need no model, so they cost nothing.',
          value: 60,
        },
      },
    })
      .nullable()
      .default(null),
    failures: count(1, MAX_RESULTS, 'results', {
      label: 'Failed results',
      hint: 'So many have to fail.',
      doc: 'How many of the last results have to fail before a check is failing, and how many in a row have to pass before it isn’t.',
      comment: 'of the last results have to fail',
      shownWith: 'monitoring.everySeconds',
    }).default(2),
    lastResults: count(1, MAX_RESULTS, 'results', {
      label: 'Of the last',
      name: 'results that count',
      hint: 'So many results count.',
      doc: 'How many of the last results of a check count.',
      comment: 'results that count',
      shownWith: 'monitoring.everySeconds',
    }).default(3),
  })
  .refine(({ failures, lastResults }) => failures <= lastResults, {
    path: ['failures'],
    message: 'No more results can fail than count.',
  });
export type MonitoringSettings = z.infer<typeof monitoringSettingsSchema>;

/** Of a configuration that was saved before there were any. */
export const NO_MONITORING = monitoringSettingsSchema.parse({});

/** Of a project that is created from now on. */
export const NEW_MONITORING: MonitoringSettings = { ...NO_MONITORING, everySeconds: 60 };

const OTHERWISE =
  'and again if it is reopened or spreads. Otherwise people are notified at once that it needs a human.';

/** What starts a chain apart from the schedule and people. */
export const startOnSchema = z.object({
  checkChange: flag({
    label: 'Start a chain when checks begin to fail',
    name: 'a change of checks',
    hint: `While checks run without an agent: one for each incident, ${OTHERWISE}`,
    doc: 'True: a chain starts when a service begins to fail, and when it fails again.',
  }).default(true),
  alert: flag({
    label: 'Start a chain when alerts fire',
    name: 'an alert',
    hint: `One for each incident that alerts open, ${OTHERWISE}`,
    doc: 'True: a chain starts when an alert of another system opens or reopens an incident, or brings in another service.',
  }).default(true),
});
export type StartOn = z.infer<typeof startOnSchema>;

export const DEFAULT_START_ON = startOnSchema.parse({});

/** How outages become incidents, and when those are over. Part of a project's configuration. */
export const incidentSettingsSchema = z.object({
  verifySeconds: seconds(60, 86_400, {
    label: 'Verification',
    hint: 'Everything has to be healthy for so long before an incident is resolved.',
    shownWith: 'monitoring.everySeconds',
  }).default(600),
  reopenSeconds: seconds(0, 7 * 86_400, {
    label: 'Reopening',
    hint: 'The same services failing so soon after the resolution reopen the incident.',
    doc: 'Seconds after the resolution in which the same fault reopens the incident. Later it is a new incident.',
    shownWith: 'monitoring.everySeconds',
  }).default(3_600),
  groupSeconds: seconds(0, 3_600, {
    label: 'Grouping',
    hint: 'Services that begin to fail within this time of the opening belong to the same incident.',
    shownWith: 'monitoring.everySeconds',
  }).default(600),
});
export type IncidentSettings = z.infer<typeof incidentSettingsSchema>;

export const DEFAULT_INCIDENTS = incidentSettingsSchema.parse({});
