import { z } from 'zod';

const whole = (wanted: string, least: number, most: number) =>
  z.number(wanted).int(wanted).min(least, wanted).max(most, wanted);

export const MIN_CHECK_INTERVAL_SECONDS = 30;
export const MAX_CHECK_INTERVAL_SECONDS = 86_400;
const MAX_RESULTS = 20;

/** How runners run a project's checks without an agent. Part of its configuration. */
export const monitoringSettingsSchema = z
  .object({
    /** Seconds between two runs of a check. Null: checks run in chains only. */
    everySeconds: whole(
      'Enter a time of 30s to 24h.',
      MIN_CHECK_INTERVAL_SECONDS,
      MAX_CHECK_INTERVAL_SECONDS,
    ).nullable(),
    /** How many of the last results have to fail before a check is failing, and pass before it isn't. */
    failures: whole('Enter 1 to 20 results.', 1, MAX_RESULTS),
    /** How many of the last results count. */
    lastResults: whole('Enter 1 to 20 results.', 1, MAX_RESULTS),
  })
  .refine(({ failures, lastResults }) => failures <= lastResults, {
    path: ['failures'],
    message: 'No more results can fail than count.',
  });
export type MonitoringSettings = z.infer<typeof monitoringSettingsSchema>;

/** Of a configuration that was saved before there were any. */
export const NO_MONITORING: MonitoringSettings = {
  everySeconds: null,
  failures: 2,
  lastResults: 3,
};

/** Of a project that is created from now on. */
export const NEW_MONITORING: MonitoringSettings = { ...NO_MONITORING, everySeconds: 60 };

/** What starts a chain apart from the schedule and people. */
export const startOnSchema = z.object({
  /** A service began to fail, or failed again. */
  checkChange: z.boolean(),
  /** An alert of another system fires. */
  alert: z.boolean().default(true),
});
export type StartOn = z.infer<typeof startOnSchema>;

export const DEFAULT_START_ON: StartOn = { checkChange: true, alert: true };

/** How outages become incidents, and when those are over. Part of a project's configuration. */
export const incidentSettingsSchema = z.object({
  /** Seconds for which everything has to be well before an incident is resolved. */
  verifySeconds: whole('Enter a time of 1m to 24h.', 60, 86_400),
  /** Seconds after the resolution in which the same fault reopens the incident. */
  reopenSeconds: whole('Enter a time of 0s to 7d.', 0, 7 * 86_400),
  /** Seconds after the opening in which other services that begin to fail join the incident. */
  groupSeconds: whole('Enter a time of 0s to 1h.', 0, 3_600),
});
export type IncidentSettings = z.infer<typeof incidentSettingsSchema>;

export const DEFAULT_INCIDENTS: IncidentSettings = {
  verifySeconds: 600,
  reopenSeconds: 3_600,
  groupSeconds: 600,
};
