'use client';

import { Field } from '@/app/_components/ui/field';
import { Input, TimeZoneInput } from '@/app/_components/ui/input';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import type { Schedule } from '@/lib/projects/schedules/schema';
import { SpanInput } from './number-input';

interface ScheduleFieldsProps {
  schedule: Schedule;
  onChange: (schedule: Schedule) => void;
  errorAt: (path: string) => string | undefined;
}

type Kind = Schedule['kind'];

const KINDS = [
  { value: 'interval', label: 'Interval' },
  { value: 'cron', label: 'Cron' },
  { value: 'manual', label: 'Manual' },
] as const satisfies { value: Kind; label: string }[];

const DEFAULT_EVERY_SECONDS = 43_200;
const DEFAULT_CRON = '0 9,21 * * *';

export function ScheduleFields({ schedule, onChange, errorAt }: ScheduleFieldsProps) {
  function choose(kind: Kind) {
    const { timeZone } = schedule;
    if (kind === 'interval') onChange({ kind, everySeconds: DEFAULT_EVERY_SECONDS, timeZone });
    else if (kind === 'cron') onChange({ kind, expression: DEFAULT_CRON, timeZone });
    else onChange({ kind, timeZone });
  }

  return (
    <div className="flex flex-col gap-4">
      <SegmentedChoice
        label="Kind of schedule"
        name="schedule.kind"
        choices={KINDS}
        value={schedule.kind}
        onChange={choose}
      />
      <div className="flex flex-wrap gap-4">
        {schedule.kind === 'interval' ? (
          <Field id="schedule.everySeconds" label="Every" error={errorAt('schedule.everySeconds')}>
            <SpanInput
              value={schedule.everySeconds}
              onChange={(everySeconds) => onChange({ ...schedule, everySeconds })}
            />
          </Field>
        ) : null}
        {schedule.kind === 'cron' ? (
          <Field
            id="schedule.expression"
            label="Cron line"
            error={errorAt('schedule.expression')}
            className="min-w-56 flex-1 basis-56"
          >
            <Input
              spellCheck={false}
              autoComplete="off"
              value={schedule.expression}
              onChange={(event) => onChange({ ...schedule, expression: event.target.value })}
              className="font-mono text-code"
            />
          </Field>
        ) : null}
        {schedule.kind === 'manual' ? (
          <p className="max-w-prose text-text-2">
            Chains start only when someone runs one, here or through the API.
          </p>
        ) : (
          <Field
            id="schedule.timeZone"
            label="Time zone of the project"
            error={errorAt('schedule.timeZone')}
            className="min-w-56 flex-1 basis-56"
          >
            <TimeZoneInput
              value={schedule.timeZone}
              onChange={(event) => onChange({ ...schedule, timeZone: event.target.value })}
            />
          </Field>
        )}
      </div>
    </div>
  );
}
