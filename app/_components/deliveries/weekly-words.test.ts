import { expect, it } from 'vitest';
import { WEEKDAYS } from '@/lib/deliveries/weekdays';
import { weeklyWords } from './weekly-words';

it.each([
  [{ days: WEEKDAYS, from: '22:00', to: '07:00' }, 'Every day, 22:00 to 07:00'],
  [{ days: WEEKDAYS.slice(0, 5), from: '09:00', to: '17:00' }, 'Mon to Fri, 09:00 to 17:00'],
  [{ days: WEEKDAYS.slice(5), from: '00:00', to: '00:00' }, 'Sat, Sun, all day'],
])('[INC-2.2] %j reads %s', (weekly, words) => {
  expect(weeklyWords(weekly)).toBe(words);
});
