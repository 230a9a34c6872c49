'use client';

import { useEffect, useState } from 'react';
import type { SchedulePreview } from '@/lib/projects/schedule-preview/preview';
import type { Schedule } from '@/lib/projects/schema';
import { previewSchedule } from '../actions';

const TYPING_MS = 300;

/** What the server says of a schedule, asked again when the typing pauses. Null before its first word. */
export function useSchedulePreview(
  organizationSlug: string,
  schedule: Schedule,
): SchedulePreview | null {
  const [preview, setPreview] = useState<SchedulePreview | null>(null);
  const key = JSON.stringify(schedule);

  useEffect(() => {
    let isOutdated = false;
    const timer = setTimeout(async () => {
      const answer = await previewSchedule({
        organizationSlug,
        schedule: JSON.parse(key) as Schedule,
      });
      // A shape that does not parse yet has its error at the field already.
      if (!isOutdated && answer.ok) setPreview(answer.data);
    }, TYPING_MS);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [organizationSlug, key]);

  return preview;
}
