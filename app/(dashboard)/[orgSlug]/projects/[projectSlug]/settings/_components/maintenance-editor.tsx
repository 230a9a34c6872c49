'use client';

import { Plus, Trash2 } from 'lucide-react';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input, Select } from '@/app/_components/ui/input';
import { useServerPreview } from '@/app/_components/ui/use-server-preview';
import type { MaintenanceWindow } from '@/lib/projects/maintenance/schema';
import type { WindowPreview } from '@/lib/projects/maintenance/validate';
import { previewWindow } from '../../../actions';
import { SettingField } from './setting-field';
import type { SettingProps } from './settings-context';

type When = MaintenanceWindow['when'];

const REPEATED: When = { kind: 'recurring', expression: '0 22 * * 6', durationSeconds: 7_200 };

/** The maintenance windows of a project. */
export function MaintenanceEditor(props: SettingProps) {
  const { path, form } = props;
  const { maintenance, schedule } = form.draft.config;
  const set = (change: (windows: readonly MaintenanceWindow[]) => MaintenanceWindow[]) =>
    form.configure((config) => ({ maintenance: change(config.maintenance) }));
  return (
    <div className="flex flex-col gap-5">
      {maintenance.map((window, index) => (
        <WindowFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a window has no id, and names change while typed
          key={index}
          {...props}
          path={`${path}.${index}`}
          window={window}
          onRemove={() => set((windows) => windows.filter((_, at) => at !== index))}
        />
      ))}
      <Button
        size="sm"
        className="self-start"
        onClick={() =>
          set((windows) => [
            ...windows,
            {
              name: `Window ${windows.length + 1}`,
              effect: 'no_cycles',
              timeZone: schedule.timeZone,
              when: REPEATED,
            },
          ])
        }
        icon={Plus}
      >
        Add a window
      </Button>
    </div>
  );
}

interface WindowProps extends SettingProps {
  window: MaintenanceWindow;
}

function WindowFields({ onRemove, ...props }: WindowProps & { onRemove: () => void }) {
  const { path, form, window } = props;
  const { organizationSlug } = form;
  const preview = useServerPreview(previewWindow, { organizationSlug, window });
  const field = (name: string) => (
    <SettingField
      {...props}
      path={`${path}.${name}`}
      error={form.errorAt(`${path}.${name}`) ?? preview?.problems[name]}
    />
  );
  return (
    <div className="flex flex-col gap-3 border-line border-t pt-4 first-of-type:border-t-0">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        {field('name')}
        {field('effect')}
        <Button
          look="quiet"
          size="icon"
          className="mt-6 max-md:mt-0"
          aria-label={`Remove ${window.name}`}
          onClick={onRemove}
        >
          <Trash2 aria-hidden />
        </Button>
      </div>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <KindOfWindow {...props} />
        {window.when.kind === 'once' ? (
          <>
            <WallTime {...props} field="startsAt" label="From" problems={preview?.problems} />
            <WallTime {...props} field="endsAt" label="To" problems={preview?.problems} />
          </>
        ) : (
          <>
            {field('when.expression')}
            {field('when.durationSeconds')}
          </>
        )}
        {field('timeZone')}
      </div>
      <WindowPreviewLine preview={preview} />
    </div>
  );
}

/** Once, from one time to another; or again and again by a cron line, each time for so long. */
function KindOfWindow({ path, form, window }: WindowProps) {
  return (
    <Field id={`${path}.kind`} label="Opens" className="w-32">
      <Select
        value={window.when.kind}
        onChange={(event) =>
          form.set(`${path}.when`, event.target.value === 'once' ? onceFromNow() : REPEATED)
        }
      >
        <option value="recurring">repeatedly</option>
        <option value="once">once</option>
      </Select>
    </Field>
  );
}

interface WallTimeProps extends WindowProps {
  field: 'startsAt' | 'endsAt';
  label: string;
  problems: WindowPreview['problems'] | undefined;
}

function WallTime({ path, form, field, label, problems }: WallTimeProps) {
  const id = `${path}.when.${field}`;
  return (
    <Field id={id} label={label} error={form.errorAt(id) ?? problems?.[`when.${field}`]}>
      <Input
        type="datetime-local"
        value={form.valueAt(id) as string}
        onChange={(event) => form.set(id, event.target.value)}
      />
    </Field>
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

const HOUR_MS = 3_600_000;

/** The next full hour and the one after it, as the reader's clock shows them. */
function onceFromNow(): When {
  const from = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  return { kind: 'once', startsAt: wallTime(from), endsAt: wallTime(from + 2 * HOUR_MS) };
}

function wallTime(at: number): string {
  const offsetMs = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offsetMs).toISOString().slice(0, 16);
}
