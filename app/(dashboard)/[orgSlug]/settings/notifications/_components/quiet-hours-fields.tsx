'use client';

import { WeeklyFields } from '@/app/_components/deliveries/weekly-fields';
import { CheckboxField } from '@/app/_components/ui/checkbox';
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
  return (
    <>
      <CheckboxField
        label="Quiet hours"
        hint="Warnings and notices wait until they end. Critical messages are sent at any time."
        checked={quietHours !== null}
        onChange={(event) =>
          onChange({ quietHours: event.target.checked ? newQuietHours() : null })
        }
      />
      {quietHours ? (
        <>
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
        </>
      ) : null}
    </>
  );
}

function newQuietHours() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { days: WEEKDAYS, from: '22:00', to: '07:00', timeZone };
}
