/** Who is on call, from the events of a calendar and a clock: pure. */

import { z } from 'zod';

export const calendarEventsSchema = z.array(
  z.object({
    from: z.iso.datetime(),
    /** It is over at this instant. */
    to: z.iso.datetime(),
    /** E-mail addresses. */
    attendees: z.array(z.string()),
    title: z.string(),
  }),
);
export type CalendarEvent = z.infer<typeof calendarEventsSchema>[number];

/** Why a calendar couldn't be read. `status` is set if its server answered with one. */
export const readFailureSchema = z.object({
  reason: z.string(),
  status: z.number().int().nullable(),
});
export type ReadFailure = z.infer<typeof readFailureSchema>;

export interface Calendar {
  name: string;
  events: readonly CalendarEvent[];
  createdAt: Date;
  readAt: Date | null;
  failingSince: Date | null;
  failure: ReadFailure | null;
}

export interface Person {
  /** UUID. */
  id: string;
  name: string;
  email: string;
}

/** Members who are on call, and whom the calendar names instead. Or since when and why nobody knows. */
export type OnCall =
  | { kind: 'known'; members: Person[]; unknown: string[] }
  | { kind: 'unknown'; since: Date; failure: ReadFailure };

/** A calendar is read every 5 minutes: one that wasn't for so long says nothing about now. */
const OUTDATED_MS = 20 * 60_000;

/** Returns who is on call in a calendar; everyone if events overlap. */
export function onCallIn(calendar: Calendar, people: readonly Person[], now: Date): OnCall {
  const { failingSince, failure, readAt, createdAt } = calendar;
  if (failingSince && failure) return { kind: 'unknown', since: failingSince, failure };
  if (readAt === null || now.getTime() - readAt.getTime() > OUTDATED_MS) {
    const notRead = { reason: 'not_read', status: null };
    return { kind: 'unknown', since: readAt ?? createdAt, failure: notRead };
  }
  const members = new Set<Person>();
  const unknown = new Set<string>();
  for (const event of calendar.events) {
    if (new Date(event.from) > now || new Date(event.to) <= now) continue;
    const named = membersOf(event, people);
    for (const member of named) members.add(member);
    if (named.length > 0) continue;
    const instead = event.attendees.length > 0 ? event.attendees : [`“${event.title}”`];
    for (const each of instead) unknown.add(each);
  }
  return { kind: 'known', members: [...members], unknown: [...unknown] };
}

/** Returns the members whose address an event has as attendee or in its title, else those whose name it has there. */
function membersOf({ attendees, title }: CalendarEvent, people: readonly Person[]): Person[] {
  const addressed = people.filter(
    ({ email }) =>
      attendees.includes(email.toLowerCase()) ||
      words(email.toLowerCase()).test(title.toLowerCase()),
  );
  if (addressed.length > 0) return addressed;
  // Longer names first: “Ana Lima” isn't also “Ana”. Two members may have the same name.
  let rest = title;
  return people
    .map(({ name }) => name.trim())
    .filter((name, index, names) => name !== '' && names.indexOf(name) === index)
    .toSorted((one, other) => other.length - one.length)
    .flatMap((name) => {
      const without = rest.replace(words(name), ' ');
      if (without === rest) return [];
      rest = without;
      return people.filter((each) => each.name.trim() === name);
    });
}

/** Matches a text that isn't part of a longer word or address. */
function words(text: string): RegExp {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}][.+-]?)${escaped}(?!\\.?[\\p{L}\\p{N}])`, 'gu');
}
