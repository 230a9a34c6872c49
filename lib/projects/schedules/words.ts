import cronstrue from 'cronstrue';
import { formatSpan } from '@/lib/platform/format/duration';
import type { Schedule } from './schema';

/** `every 10 min`, `At 09:00, Monday through Friday (Europe/Berlin)`, `only by hand`. */
export function scheduleWords(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'manual':
      return 'only by hand';
    case 'interval':
      return `every ${formatSpan(schedule.everySeconds)}`;
    case 'cron':
      return `${cronWords(schedule.expression)} (${schedule.timeZone})`;
  }
}

function cronWords(expression: string): string {
  try {
    return cronstrue.toString(expression, { use24HourTimeFormat: true });
  } catch {
    return expression;
  }
}
