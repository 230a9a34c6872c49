'use client';

import { Trash2 } from 'lucide-react';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { TimeZoneInput } from '@/app/_components/ui/time-zone-input';
import { useServerPreview } from '@/app/_components/ui/use-server-preview';
import type { MaintenanceWindow } from '@/lib/projects/maintenance/schema';
import type { WindowPreview } from '@/lib/projects/maintenance/validate';
import { previewWindow } from '../../../actions';
import { MaintenanceWhen } from './maintenance-when';

interface MaintenanceFieldsProps {
  organizationSlug: string;
  /** `maintenance.0` */
  path: string;
  window: MaintenanceWindow;
  onChange: (window: MaintenanceWindow) => void;
  onRemove: () => void;
  errorAt: (path: string) => string | undefined;
}

export function MaintenanceFields(props: MaintenanceFieldsProps) {
  const { organizationSlug, path, window, onChange, onRemove, errorAt } = props;
  const preview = useServerPreview(previewWindow, { organizationSlug, window });
  const problemAt = (field: string) => errorAt(`${path}.${field}`) ?? preview?.problems[field];
  const set = (changes: Partial<MaintenanceWindow>) => onChange({ ...window, ...changes });
  return (
    <div className="flex flex-col gap-3 border-line border-t pt-4 first-of-type:border-t-0">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <Field
          id={`${path}.name`}
          label="Name"
          error={problemAt('name')}
          className="min-w-48 flex-1 basis-48"
        >
          {(control) => (
            <Input
              {...control}
              value={window.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          )}
        </Field>
        <Field id={`${path}.effect`} label="While it is open" className="w-56">
          {(control) => (
            <Select
              {...control}
              value={window.effect}
              onChange={(event) =>
                set({ effect: event.target.value === 'no_cycles' ? 'no_cycles' : 'observe_only' })
              }
            >
              <option value="no_cycles">no chain starts</option>
              <option value="observe_only">tier 1 observes, no higher tier starts</option>
            </Select>
          )}
        </Field>
        <Button
          look="quiet"
          size="icon"
          className="mt-6"
          aria-label={`Remove ${window.name}`}
          onClick={onRemove}
        >
          <Trash2 aria-hidden />
        </Button>
      </div>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <MaintenanceWhen
          path={path}
          when={window.when}
          onChange={(when) => set({ when })}
          problemAt={problemAt}
        />
        <Field
          id={`${path}.timeZone`}
          label="Time zone"
          error={problemAt('timeZone')}
          className="min-w-48 flex-1 basis-48"
        >
          {(control) => (
            <TimeZoneInput
              {...control}
              value={window.timeZone}
              onChange={(event) => set({ timeZone: event.target.value })}
            />
          )}
        </Field>
      </div>
      <WindowPreviewLine preview={preview} />
    </div>
  );
}

/** The window in words, and its next times in the reader's zone. */
function WindowPreviewLine({ preview }: { preview: WindowPreview | null }) {
  const isSound = preview !== null && Object.keys(preview.problems).length === 0;
  return (
    <p className="min-h-5 text-text-2 text-ui">
      {isSound ? (
        <>
          {preview.words}.{' '}
          {preview.next.length === 0 ? (
            'This window has ended.'
          ) : (
            <>
              Next:{' '}
              {preview.next.map(({ startsAt, endsAt }, index) => (
                <span key={startsAt}>
                  {index > 0 ? ', ' : null}
                  <Time at={startsAt} form="day" isPlain /> to{' '}
                  <Time at={endsAt} form="day" isPlain />
                </span>
              ))}
              .
            </>
          )}
        </>
      ) : null}
    </p>
  );
}
