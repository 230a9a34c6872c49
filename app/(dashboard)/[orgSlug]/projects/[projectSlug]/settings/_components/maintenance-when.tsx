'use client';

import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import type { MaintenanceWindow } from '@/lib/projects/maintenance/schema';
import { SpanInput } from '../../../_components/span-input';

type When = MaintenanceWindow['when'];

interface MaintenanceWhenProps {
  /** `maintenance.0` */
  path: string;
  when: When;
  onChange: (when: When) => void;
  problemAt: (field: string) => string | undefined;
}

const HOUR_MS = 3_600_000;

/** Once, from one time to another; or again and again by a cron line, each time for so long. */
export function MaintenanceWhen({ path, when, onChange, problemAt }: MaintenanceWhenProps) {
  return (
    <>
      <Field id={`${path}.kind`} label="Opens" className="w-32">
        {(control) => (
          <Select
            {...control}
            value={when.kind}
            onChange={(event) =>
              onChange(event.target.value === 'once' ? onceFromNow() : everySaturday())
            }
          >
            <option value="recurring">repeatedly</option>
            <option value="once">once</option>
          </Select>
        )}
      </Field>
      {when.kind === 'once' ? (
        (['startsAt', 'endsAt'] as const).map((field) => (
          <Field
            key={field}
            id={`${path}.when.${field}`}
            label={field === 'startsAt' ? 'From' : 'To'}
            error={problemAt(`when.${field}`)}
          >
            {(control) => (
              <Input
                {...control}
                type="datetime-local"
                value={when[field]}
                onChange={(event) => onChange({ ...when, [field]: event.target.value })}
              />
            )}
          </Field>
        ))
      ) : (
        <>
          <Field
            id={`${path}.when.expression`}
            label="Start (cron)"
            error={problemAt('when.expression')}
            className="min-w-48 flex-1 basis-48"
          >
            {(control) => (
              <Input
                {...control}
                spellCheck={false}
                autoComplete="off"
                value={when.expression}
                onChange={(event) => onChange({ ...when, expression: event.target.value })}
                className="font-mono text-code"
              />
            )}
          </Field>
          <Field
            id={`${path}.when.durationSeconds`}
            label="Each for"
            error={problemAt('when.durationSeconds')}
          >
            {(control) => (
              <SpanInput
                {...control}
                value={when.durationSeconds}
                onChange={(durationSeconds) => onChange({ ...when, durationSeconds })}
              />
            )}
          </Field>
        </>
      )}
    </>
  );
}

function everySaturday(): When {
  return { kind: 'recurring', expression: '0 22 * * 6', durationSeconds: 7_200 };
}

/** The next full hour and the one after it, as the reader's clock shows them. */
function onceFromNow(): When {
  const from = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  return { kind: 'once', startsAt: wallTime(from), endsAt: wallTime(from + 2 * HOUR_MS) };
}

function wallTime(at: number): string {
  const offsetMs = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offsetMs).toISOString().slice(0, 16);
}
