'use client';

import { Pencil, Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import type { ScheduleDto } from '@/lib/deliveries/escalation/schema';
import { createSchedule, updateSchedule } from '../actions';
import { newShift, scheduleDraftOf, scheduleInputOf } from './draft';
import type { Choice } from './edit-form';
import { ScheduleForm } from './schedule-form';

interface EditScheduleProps {
  organizationSlug: string;
  /** Left out: a new one. */
  schedule?: ScheduleDto;
  channels: readonly Choice[];
}

/** A button that opens the form of a schedule. */
export function EditSchedule({ organizationSlug, schedule, channels }: EditScheduleProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      title={schedule ? `Edit ${schedule.name}` : 'Add on-call schedule'}
      description="A change applies at once, also to incidents that are escalating."
      trigger={
        schedule ? (
          <Button size="icon-sm" aria-label={`Edit ${schedule.name}`}>
            <Pencil aria-hidden />
          </Button>
        ) : (
          <Button size="sm">
            <Plus aria-hidden /> Add schedule
          </Button>
        )
      }
    >
      <ScheduleForm
        initial={
          schedule
            ? scheduleDraftOf(schedule)
            : { name: '', timeZone: ownZone(), shifts: [newShift('0')] }
        }
        channels={channels.map(({ id, name }) => ({ id, name }))}
        submitLabel={schedule ? 'Save schedule' : 'Add schedule'}
        onSubmit={async (draft) => {
          const input = { organizationSlug, ...scheduleInputOf(draft) };
          const answer = schedule
            ? await updateSchedule({ ...input, scheduleId: schedule.id })
            : await createSchedule(input);
          if (!answer.ok) return answer.error;
          setOpen(false);
          router.refresh();
          return null;
        }}
      />
    </Dialog>
  );
}
