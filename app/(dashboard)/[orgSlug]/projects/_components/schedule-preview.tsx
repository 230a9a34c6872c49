'use client';

import { displayTimeZone } from '@/app/_components/shell/preferences';
import { usePreferences } from '@/app/_components/shell/preferences-context';
import { Skeleton } from '@/app/_components/ui/skeleton';
import type { SchedulePreview as Preview } from '@/lib/projects/schedules/preview';

interface SchedulePreviewProps {
  preview: Preview | null;
  projectZone: string;
}

/** Shows a schedule in words, and its next five chains in both time zones. */
export function SchedulePreview({ preview, projectZone }: SchedulePreviewProps) {
  const ownZone = displayTimeZone(usePreferences().preferences);
  if (!preview) return <Skeleton className="h-44 w-full" />;
  if (!preview.ok) {
    return (
      <p role="status" className="text-bad-fg text-ui">
        {preview.error}
      </p>
    );
  }
  if (preview.runs.length === 0) {
    return <p className="text-text-2">No chain starts by schedule.</p>;
  }
  const hasTwoZones = ownZone !== projectZone;
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">{capital(preview.words)}.</p>
      <table className="w-full max-w-120 text-ui">
        <caption className="pb-1 text-left text-meta text-text-3">The next five chains</caption>
        <thead>
          <tr className="text-left text-meta text-text-3">
            <th scope="col" className="py-1 pr-4 font-medium">
              {projectZone}
            </th>
            {hasTwoZones ? (
              <th scope="col" className="py-1 font-medium">
                Yours, {ownZone}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {preview.runs.map((run) => (
            <tr key={run} className="border-line border-t">
              <td className="py-1 pr-4">{written(run, projectZone)}</td>
              {hasTwoZones ? <td className="py-1 text-text-2">{written(run, ownZone)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
      {preview.clockChange ? <p className="text-ui text-wait-fg">{preview.clockChange}</p> : null}
    </div>
  );
}

function written(run: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(run));
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
