import { WEEKDAYS, type Weekday } from '@/lib/deliveries/weekdays';

export const WEEKDAY_WORDS: Record<Weekday, string> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
};

const WORKING_DAYS: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri'];

/** `Every day, 22:00 to 07:00`; `Mon to Fri, 09:00 to 17:00`; `Sat, Sun, all day`. */
export function weeklyWords(weekly: {
  days: readonly Weekday[];
  from: string;
  to: string;
}): string {
  const { days, from, to } = weekly;
  const times = from === to && from === '00:00' ? 'all day' : `${from} to ${to}`;
  return `${daysWords(days)}, ${times}`;
}

function daysWords(days: readonly Weekday[]): string {
  if (days.length === WEEKDAYS.length) return 'Every day';
  if (days.join() === WORKING_DAYS.join()) return 'Mon to Fri';
  return days.map((day) => WEEKDAY_WORDS[day]).join(', ');
}
