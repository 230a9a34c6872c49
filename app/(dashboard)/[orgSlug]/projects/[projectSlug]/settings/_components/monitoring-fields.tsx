'use client';

import { Card } from '@/app/_components/ui/card';
import { Field } from '@/app/_components/ui/field';
import { formatSpan } from '@/lib/platform/format/duration';
import type {
  IncidentSettings,
  MonitoringSettings,
  StartOn,
} from '@/lib/projects/monitoring-settings';
import { NumberInput } from '../../../_components/number-input';
import { SpanInput } from '../../../_components/span-input';
import { SwitchRow } from './switch-row';

const DEFAULT_EVERY_SECONDS = 60;

type ErrorAt = (path: string) => string | undefined;

interface MonitoringFieldsProps {
  monitoring: MonitoringSettings;
  startOn: StartOn;
  isLocked: boolean;
  onChange: (changes: { monitoring?: MonitoringSettings; startOn?: StartOn }) => void;
  errorAt: ErrorAt;
}

/** How runners run the checks without an agent, and whether that starts one. */
export function MonitoringFields(props: MonitoringFieldsProps) {
  const { monitoring, startOn, isLocked, onChange, errorAt } = props;
  const { everySeconds, failures, lastResults } = monitoring;
  const set = (changes: Partial<MonitoringSettings>) =>
    onChange({ monitoring: { ...monitoring, ...changes } });
  return (
    <Card title="Checks without an agent">
      <div className="flex flex-col gap-5">
        <SwitchRow
          id="monitoring.enabled"
          label="Run the checks of the services"
          hint="A runner of the pool runs them. They need no model, so they cost nothing."
          isOn={everySeconds !== null}
          isLocked={isLocked}
          onChange={(isOn) => set({ everySeconds: isOn ? DEFAULT_EVERY_SECONDS : null })}
        />
        {everySeconds === null ? null : (
          <>
            <div className="grid grid-cols-3 gap-4 max-md:grid-cols-1">
              <Field
                id="monitoring.everySeconds"
                label="Time between checks"
                hint="Of checks without an interval of their own."
                error={errorAt('monitoring.everySeconds')}
              >
                {(control) => (
                  <SpanInput
                    {...control}
                    value={everySeconds}
                    onChange={(seconds) => set({ everySeconds: seconds })}
                  />
                )}
              </Field>
              <Field
                id="monitoring.failures"
                label="Failed results"
                hint="So many have to fail."
                error={errorAt('monitoring.failures')}
              >
                {(control) => (
                  <NumberInput
                    {...control}
                    value={failures}
                    onChange={(value) => set({ failures: value ?? Number.NaN })}
                  />
                )}
              </Field>
              <Field
                id="monitoring.lastResults"
                label="Of the last"
                hint="So many results count."
                error={errorAt('monitoring.lastResults')}
              >
                {(control) => (
                  <NumberInput
                    {...control}
                    value={lastResults}
                    onChange={(value) => set({ lastResults: value ?? Number.NaN })}
                  />
                )}
              </Field>
            </div>
            <p className="max-w-prose text-text-2 text-ui">{monitoringSentence(monitoring)}</p>
          </>
        )}
        <SwitchRow
          id="startOn.checkChange"
          label="Start a chain when checks begin to fail"
          hint={
            everySeconds === null
              ? 'Only while checks run without an agent.'
              : 'One for each incident, and again if it is reopened or spreads. Otherwise people are notified at once that it needs a human.'
          }
          isOn={startOn.checkChange}
          isLocked={isLocked}
          onChange={(checkChange) => onChange({ startOn: { ...startOn, checkChange } })}
        />
        <SwitchRow
          id="startOn.alert"
          label="Start a chain when alerts fire"
          hint="One for each incident that alerts open, and again if it is reopened or spreads. Otherwise people are notified at once that it needs a human."
          isOn={startOn.alert}
          isLocked={isLocked}
          onChange={(signal) => onChange({ startOn: { ...startOn, alert: signal } })}
        />
      </div>
    </Card>
  );
}

/** What the numbers mean in time; empty while one is missing. */
export function monitoringSentence({
  everySeconds,
  failures,
  lastResults,
}: MonitoringSettings): string {
  if (everySeconds === null || [everySeconds, failures, lastResults].some(Number.isNaN)) return '';
  const fastest = formatSpan(everySeconds * failures);
  if (failures === 1) {
    return `A service that fails is noticed within ${fastest}, by a single result.`;
  }
  return `A service that fails is noticed within ${fastest}: once ${failures} of the last ${lastResults} results of a check fail. It is healthy again after ${failures} that pass in a row.`;
}

interface IncidentFieldsProps {
  incidents: IncidentSettings;
  onChange: (incidents: IncidentSettings) => void;
  errorAt: ErrorAt;
}

const SPANS: readonly { key: keyof IncidentSettings; label: string; hint: string }[] = [
  {
    key: 'verifySeconds',
    label: 'Verification',
    hint: 'Everything has to be healthy for so long before an incident is resolved.',
  },
  {
    key: 'groupSeconds',
    label: 'Grouping',
    hint: 'Services that begin to fail within this time of the opening belong to the same incident.',
  },
  {
    key: 'reopenSeconds',
    label: 'Reopening',
    hint: 'The same services failing so soon after the resolution reopen the incident.',
  },
];

/** When outages belong together, and when they are over. */
export function IncidentFields({ incidents, onChange, errorAt }: IncidentFieldsProps) {
  return (
    <Card title="Incidents">
      <div className="grid grid-cols-3 gap-4 max-md:grid-cols-1">
        {SPANS.map(({ key, label, hint }) => (
          <Field
            key={key}
            id={`incidents.${key}`}
            label={label}
            hint={hint}
            error={errorAt(`incidents.${key}`)}
          >
            {(control) => (
              <SpanInput
                {...control}
                value={incidents[key]}
                onChange={(seconds) => onChange({ ...incidents, [key]: seconds })}
              />
            )}
          </Field>
        ))}
      </div>
    </Card>
  );
}
