'use client';

import { useServerPreview } from '@/app/_components/ui/use-server-preview';
import { ScheduleFields } from '../../../_components/schedule-fields';
import { SchedulePreview } from '../../../_components/schedule-preview';
import { previewSchedule } from '../../../actions';
import type { SettingProps } from './settings-context';

/** The schedule, and when its next chains start. */
export function ScheduleEditor({ form }: SettingProps) {
  const { organizationSlug } = form;
  const { schedule } = form.draft.config;
  const preview = useServerPreview(previewSchedule, { organizationSlug, schedule });
  return (
    <div className="flex flex-col gap-6">
      <ScheduleFields
        schedule={schedule}
        onChange={(next) => form.configure(() => ({ schedule: next }))}
        errorAt={form.errorAt}
      />
      <SchedulePreview preview={preview} projectZone={schedule.timeZone} />
    </div>
  );
}
