'use client';

import { Plus } from 'lucide-react';
import { WeeklyFields } from '@/app/_components/deliveries/weekly-fields';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { TimeZoneInput } from '@/app/_components/ui/time-zone-input';
import { WEEKDAYS } from '@/lib/deliveries/weekdays';
import type { ChannelDraft, ChannelErrors } from './draft';

interface QuietHoursFieldsProps {
  draft: ChannelDraft;
  errors: ChannelErrors;
  onChange: (change: Partial<ChannelDraft>) => void;
}

/** When warnings and notices wait. */
export function QuietHoursFields({ draft, errors, onChange }: QuietHoursFieldsProps) {
  const { quietHours } = draft;
  const note = 'Warnings and notices wait until they end. Critical messages are sent at any time.';
  if (!quietHours) {
    return (
      <div className="flex flex-col items-start gap-1">
        <Button size="sm" onClick={() => onChange({ quietHours: newQuietHours() })}>
          <Plus aria-hidden /> Add quiet hours
        </Button>
        <p className="text-text-2 text-ui">{note}</p>
      </div>
    );
  }
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1.5 font-medium text-ui">Quiet hours</legend>
      <p className="text-text-2 text-ui">{note}</p>
      <WeeklyFields
        id="channel-quietHours"
        value={quietHours}
        onChange={(change) => onChange({ quietHours: { ...quietHours, ...change } })}
        problemAt={(field) => errors[`quietHours-${field}`]}
      />
      <Field
        id="channel-quietHours-timeZone"
        label="Time zone"
        error={errors['quietHours-timeZone'] ?? null}
      >
        {(control) => (
          <TimeZoneInput
            {...control}
            value={quietHours.timeZone}
            onChange={(event) =>
              onChange({ quietHours: { ...quietHours, timeZone: event.target.value } })
            }
          />
        )}
      </Field>
      <Button size="sm" className="self-start" onClick={() => onChange({ quietHours: null })}>
        Remove quiet hours
      </Button>
    </fieldset>
  );
}

function newQuietHours() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { days: WEEKDAYS, from: '22:00', to: '07:00', timeZone };
}
