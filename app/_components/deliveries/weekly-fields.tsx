'use client';

import { CheckboxGroup } from '@/app/_components/ui/checkbox-group';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { WEEKDAYS, type Weekday } from '@/lib/deliveries/weekdays';
import { WEEKDAY_WORDS } from './weekly-words';

export interface WeeklyDraft {
  days: readonly Weekday[];
  from: string;
  to: string;
}

interface WeeklyFieldsProps {
  /** Unique on the page. */
  id: string;
  value: WeeklyDraft;
  onChange: (change: Partial<WeeklyDraft>) => void;
  problemAt: (field: 'days' | 'from' | 'to') => string | undefined;
}

/** The days and times of something that comes back every week. */
export function WeeklyFields({ id, value, onChange, problemAt }: WeeklyFieldsProps) {
  return (
    <>
      <CheckboxGroup
        legend="Days on which it begins"
        choices={WEEKDAYS.map((day) => ({ value: day, label: WEEKDAY_WORDS[day] }))}
        chosen={value.days}
        onChange={(days) => onChange({ days })}
        error={problemAt('days')}
        className="grid-cols-4"
      />
      <div className="grid grid-cols-2 gap-3">
        {(['from', 'to'] as const).map((field) => (
          <Field
            key={field}
            id={`${id}-${field}`}
            label={field === 'from' ? 'From' : 'To'}
            error={problemAt(field) ?? null}
          >
            <Input
              type="time"
              value={value[field]}
              onChange={(event) => onChange({ [field]: event.target.value })}
            />
          </Field>
        ))}
      </div>
    </>
  );
}
