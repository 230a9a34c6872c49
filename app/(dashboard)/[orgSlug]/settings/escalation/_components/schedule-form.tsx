'use client';

import { Plus, Trash2 } from 'lucide-react';
import { WeeklyFields } from '@/app/_components/deliveries/weekly-fields';
import { Button } from '@/app/_components/ui/button';
import { CheckboxGroup } from '@/app/_components/ui/checkbox-group';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { TimeZoneInput } from '@/app/_components/ui/time-zone-input';
import { newShift, problemOf, type ScheduleDraft, type ShiftDraft } from './draft';
import { type Choice, EditForm, type EditFormProps } from './edit-form';

interface ScheduleFormProps
  extends Pick<EditFormProps<ScheduleDraft>, 'initial' | 'submitLabel' | 'onSubmit'> {
  channels: readonly Choice[];
}

export function ScheduleForm({ channels, ...form }: ScheduleFormProps) {
  return (
    <EditForm {...form} id="schedule">
      {(draft, change, fields) => (
        <>
          <Field
            id="schedule-timeZone"
            label="Time zone"
            hint="Shifts follow its clocks, also when they are changed."
            error={fields.timeZone ?? null}
          >
            {(control) => (
              <TimeZoneInput
                {...control}
                value={draft.timeZone}
                onChange={(event) => change({ timeZone: event.target.value })}
              />
            )}
          </Field>
          <Shifts {...{ draft, change, fields, channels }} />
        </>
      )}
    </EditForm>
  );
}

interface ShiftsProps {
  draft: ScheduleDraft;
  change: (change: Partial<ScheduleDraft>) => void;
  fields: Readonly<Record<string, string>>;
  channels: readonly Choice[];
}

function Shifts({ draft, change, fields, channels }: ShiftsProps) {
  const { shifts } = draft;
  const set = (key: string, changed: Partial<ShiftDraft>) =>
    change({
      shifts: shifts.map((shift) => (shift.key === key ? { ...shift, ...changed } : shift)),
    });
  const problem = fields.shifts;
  return (
    <>
      {shifts.map((shift, index) => (
        <fieldset key={shift.key} className="flex flex-col gap-3 border-line border-t pt-3">
          <legend className="sr-only">Shift {index + 1}</legend>
          <div className="flex items-end gap-3">
            <Field
              id={`schedule-shift-${shift.key}-name`}
              label={`Shift ${index + 1}: who is on call`}
              error={problemOf(fields, `shifts.${index}.name`) ?? null}
              className="flex-1"
            >
              {(control) => (
                <Input
                  {...control}
                  autoComplete="off"
                  value={shift.name}
                  onChange={(event) => set(shift.key, { name: event.target.value })}
                />
              )}
            </Field>
            {shifts.length > 1 ? (
              <Button
                size="icon"
                aria-label={`Remove shift ${index + 1}`}
                onClick={() => change({ shifts: shifts.filter(({ key }) => key !== shift.key) })}
              >
                <Trash2 aria-hidden />
              </Button>
            ) : null}
          </div>
          <WeeklyFields
            id={`schedule-shift-${shift.key}`}
            value={shift}
            onChange={(changed) => set(shift.key, changed)}
            problemAt={(field) => problemOf(fields, `shifts.${index}.${field}`)}
          />
          <CheckboxGroup
            legend="Channels"
            choices={channels.map(({ id, name }) => ({ value: id, label: name }))}
            chosen={shift.channelIds}
            onChange={(channelIds) => set(shift.key, { channelIds })}
            error={problemOf(fields, `shifts.${index}.channelIds`)}
            className="sm:grid-cols-2"
          />
        </fieldset>
      ))}
      {problem ? <FieldError id="schedule-shifts-error" errors={[problem]} /> : null}
      <Button
        size="sm"
        className="self-start"
        onClick={() => change({ shifts: [...shifts, newShift(crypto.randomUUID())] })}
      >
        <Plus aria-hidden /> Add shift
      </Button>
    </>
  );
}
