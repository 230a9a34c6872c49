'use client';

import { Plus } from 'lucide-react';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { useServerPreview } from '@/app/_components/ui/use-server-preview';
import type { MaintenanceWindow } from '@/lib/projects/maintenance/schema';
import { ScheduleFields } from '../../../_components/schedule-fields';
import { SchedulePreview } from '../../../_components/schedule-preview';
import { previewSchedule } from '../../../actions';
import { MaintenanceFields } from './maintenance-fields';
import { IncidentFields, MonitoringFields } from './monitoring-fields';
import { SettingsForm } from './settings-form';
import { type SectionProps, useDraft } from './use-draft';

const FIELDS = ['schedule', 'maintenance', 'monitoring', 'startOn', 'incidents'] as const;

export function ScheduleSection(props: SectionProps) {
  const { organizationSlug, saved, refusal } = props;
  const form = useDraft(organizationSlug, saved, FIELDS);
  const { schedule, monitoring, startOn, incidents } = form.draft.config;
  const preview = useServerPreview(previewSchedule, { organizationSlug, schedule });
  return (
    <SettingsForm form={form} refusal={refusal}>
      <MonitoringFields
        monitoring={monitoring}
        startOn={startOn}
        isLocked={refusal !== null}
        onChange={form.configure}
        errorAt={form.errorAt}
      />
      <Card title="Schedule">
        <div className="flex flex-col gap-6">
          <ScheduleFields
            schedule={schedule}
            onChange={(next) => form.configure({ schedule: next })}
            errorAt={form.errorAt}
          />
          <SchedulePreview preview={preview} projectZone={schedule.timeZone} />
        </div>
      </Card>
      {monitoring.everySeconds === null ? null : (
        <IncidentFields
          incidents={incidents}
          onChange={(next) => form.configure({ incidents: next })}
          errorAt={form.errorAt}
        />
      )}
      <MaintenanceEditor
        organizationSlug={organizationSlug}
        windows={form.draft.config.maintenance}
        timeZone={schedule.timeZone}
        onChange={(maintenance) => form.configure({ maintenance })}
        errorAt={form.errorAt}
      />
    </SettingsForm>
  );
}

interface MaintenanceEditorProps {
  organizationSlug: string;
  windows: readonly MaintenanceWindow[];
  /** Of the project: what a new window starts with. */
  timeZone: string;
  onChange: (windows: MaintenanceWindow[]) => void;
  errorAt: (path: string) => string | undefined;
}

function MaintenanceEditor(props: MaintenanceEditorProps) {
  const { organizationSlug, windows, timeZone, onChange, errorAt } = props;
  return (
    <Card title="Maintenance windows" note={windows.length}>
      <div className="flex flex-col gap-5">
        <p className="max-w-prose text-text-2 text-ui">
          Periods when problems are expected. Missed chains don’t run afterwards; the schedule
          continues with its next slot.
        </p>
        {windows.map((window, index) => (
          <MaintenanceFields
            // biome-ignore lint/suspicious/noArrayIndexKey: a window has no id, and names change while typed
            key={index}
            organizationSlug={organizationSlug}
            path={`maintenance.${index}`}
            window={window}
            onChange={(next) => onChange(windows.map((each, at) => (at === index ? next : each)))}
            onRemove={() => onChange(windows.filter((_, at) => at !== index))}
            errorAt={errorAt}
          />
        ))}
        <Button
          size="sm"
          className="self-start"
          onClick={() => onChange([...windows, newWindow(windows.length + 1, timeZone)])}
        >
          <Plus aria-hidden /> Add a window
        </Button>
      </div>
    </Card>
  );
}

const TWO_HOURS = 7_200;

function newWindow(number: number, timeZone: string): MaintenanceWindow {
  return {
    name: `Window ${number}`,
    effect: 'no_cycles',
    timeZone,
    when: { kind: 'recurring', expression: '0 22 * * 6', durationSeconds: TWO_HOURS },
  };
}
