import { weeklyWords } from '@/app/_components/deliveries/weekly-words';
import { Time } from '@/app/_components/status/time';
import type { OnCallDto, ScheduleDto } from '@/lib/deliveries/escalation/schema';
import { DeleteButton } from './delete-button';
import type { Choice } from './edit-form';
import { EditSchedule } from './edit-schedule';
import { channelNames, onCallNames } from './escalation-words';

interface ScheduleListProps {
  organizationSlug: string;
  schedules: readonly ScheduleDto[];
  channels: readonly Choice[];
  mayChange: boolean;
}

/** Each schedule with who is on call now and next, and its shifts. */
export function ScheduleList(props: ScheduleListProps) {
  const { organizationSlug, schedules, channels, mayChange } = props;
  return (
    <ul className="divide-y divide-line">
      {schedules.map((schedule) => (
        <li key={schedule.id} id={schedule.id} className="flex items-start gap-4 px-4 py-3">
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <h3 className="break-words font-medium">{schedule.name}</h3>
            <p>
              On call now: <OnCall of={schedule.now} />
            </p>
            {schedule.next ? (
              <p className="text-text-2">
                Next: <OnCall of={schedule.next} isNext />
              </p>
            ) : null}
            <p className="text-text-2 text-ui">Shifts, by the clocks of {schedule.timeZone}:</p>
            <ul className="list-disc pl-5 text-text-2 text-ui">
              {schedule.shifts.map((shift, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two shifts may be the same, and they don't move.
                <li key={index} className="break-words">
                  {shift.name}: {weeklyWords(shift)} · {channelNames(shift.channelIds, channels)}
                </li>
              ))}
            </ul>
            {schedule.hasGaps ? (
              <p className="text-text-2 text-ui">
                Has gaps. While nobody is on call, a step notifies its own channels.
              </p>
            ) : null}
          </div>
          {mayChange ? (
            <div className="flex gap-2">
              <EditSchedule
                organizationSlug={organizationSlug}
                schedule={schedule}
                channels={channels}
              />
              <DeleteButton
                organizationSlug={organizationSlug}
                kind="schedule"
                id={schedule.id}
                name={schedule.name}
              />
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function OnCall({ of, isNext = false }: { of: OnCallDto; isNext?: boolean }) {
  return (
    <>
      <span className="font-medium">{onCallNames(of)}</span>
      {isNext ? (
        <>
          {' '}
          from <Time at={of.from} form="day" />
        </>
      ) : null}
      {of.until ? (
        <>
          {' '}
          until <Time at={of.until} form="day" />
        </>
      ) : null}
    </>
  );
}
