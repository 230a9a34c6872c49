'use client';

import { Card } from '@/app/_components/ui/card';
import { useServerPreview } from '@/app/_components/ui/use-server-preview';
import { ScheduleFields } from '../../../_components/schedule-fields';
import { SchedulePreview } from '../../../_components/schedule-preview';
import { previewSchedule } from '../../../actions';
import { MaintenanceEditor } from './maintenance-editor';
import type { SectionProps } from './section-props';
import { SettingsForm } from './settings-form';
import { useDraft } from './use-draft';

interface ScheduleSectionProps extends SectionProps {
  /** Mean cost of the newest cycles; null when none has run. */
  cycleMicros: number | null;
}

export function ScheduleSection(props: ScheduleSectionProps) {
  const { organizationSlug, saved, refusal, cycleMicros } = props;
  const form = useDraft(organizationSlug, saved, ['schedule', 'maintenance']);
  const { schedule } = form.draft.config;
  const preview = useServerPreview(previewSchedule, { organizationSlug, schedule });
  return (
    <SettingsForm form={form} refusal={refusal}>
      <Card title="Schedule">
        <div className="flex flex-col gap-6">
          <ScheduleFields
            schedule={schedule}
            onChange={(next) => form.configure({ schedule: next })}
            errorAt={form.errorAt}
          />
          <SchedulePreview
            preview={preview}
            projectZone={schedule.timeZone}
            cycleMicros={cycleMicros}
          />
        </div>
      </Card>
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
