/** Who a step notifies: pure, from the calendars, the channels, the members and a clock. */

import { encodeId } from '@/lib/platform/ids';
import { stepOf, stepsToTry } from './due-step';
import { type Calendar, type OnCall, onCallIn, type Person } from './on-call';
import type { Plan, Recipient, Recipients, Step } from './schema';
import { isAnyoneReached } from './words';

interface Channel {
  /** UUID. */
  id: string;
  name: string;
  /** Null: it is on. */
  disabledAt: Date | null;
  disabledReason: string | null;
}

interface Facts<Row extends Channel> {
  calendars: readonly (Calendar & { id: string })[];
  /** Of the organization, also those that are off. */
  channels: readonly Row[];
  members: readonly Person[];
  /** Whether the installation sends e-mail, so that members can be notified. */
  hasMail: boolean;
  /** UUIDs of channels that have received a message about the incident since the step was due. */
  announced: readonly string[];
  now: Date;
}

/** Whom to notify, and what became of everyone whom a step names. */
interface Choice<Row extends Channel> {
  channels: Row[];
  members: Person[];
  recipients: Recipients;
}

/**
 * Finds the step to send: the one that is due, or if it reaches nobody, the next one that does. A later one whose
 * people have just received a message about the incident keeps its time.
 *
 * @returns whom to notify; null if no step reaches anybody. And every step that is over, by number
 */
export function chooseStep<Row extends Channel>(
  plan: Plan,
  due: { number: number; skipped: readonly number[] },
  facts: Facts<Row>,
): { send: (Choice<Row> & { number: number }) | null; tried: Map<number, Recipients> } {
  const tried = new Map<number, Recipients>();
  for (const number of stepsToTry(plan, due)) {
    const choice = chooseRecipients(stepOf(plan, number), facts);
    const { channels, members, recipients } = choice;
    const isReached = isAnyoneReached(recipients);
    const keepsItsTime = number > due.number && isReached && channels.length + members.length === 0;
    if (!keepsItsTime) tried.set(number, recipients);
    if (isReached) return { send: { ...choice, number }, tried };
  }
  return { send: null, tried };
}

/**
 * Chooses whom a step notifies: the members who are on call, else its own channels and members. Channels that are
 * off or deleted aren't chosen.
 */
export function chooseRecipients<Row extends Channel>(
  step: Step | undefined,
  { calendars, channels, members, hasMail, announced, now }: Facts<Row>,
): Choice<Row> {
  const calendar = calendars.find(({ id }) => encodeId('cal', id) === step?.calendarId);
  const onCall = calendar ? onCallIn(calendar, members, now) : null;
  const called = onCall?.kind === 'known' ? onCall.members : [];
  const isCalled = called.length > 0 && hasMail;
  const named = isCalled ? [] : (step?.memberIds ?? []);
  const own = named.map((id) => members.find((each) => encodeId('mem', each.id) === id));
  const asked = isCalled ? [] : (step?.channelIds ?? []);
  const chosen = channels.filter(
    (channel) => !channel.disabledAt && asked.includes(encodeId('ntc', channel.id)),
  );
  const people = [...new Set([...called, ...own])];
  return {
    channels: chosen.filter(({ id }) => !announced.includes(id)),
    members: hasMail ? people.filter((person) => person !== undefined) : [],
    recipients: {
      channels: [
        ...chosen.map(({ id, name }): Recipient => {
          return { name, result: announced.includes(id) ? 'announced' : 'sent' };
        }),
        ...asked.flatMap((id) => unreached(id, channels)),
      ],
      members: people.map((person): Recipient => {
        if (!person) return { name: null, result: 'deleted' };
        return { name: person.name || person.email, result: hasMail ? 'sent' : 'no_mail' };
      }),
      calendar: calendar?.name ?? null,
      ...wordsOf(onCall),
      reportedTo: null,
    },
  };
}

function wordsOf(onCall: OnCall | null): Pick<Recipients, 'onCall' | 'unknown' | 'failure'> {
  if (onCall?.kind === 'unknown') {
    const failure = { ...onCall.failure, since: onCall.since.toISOString() };
    return { onCall: [], unknown: [], failure };
  }
  return {
    onCall: onCall?.members.map(({ name, email }) => name || email) ?? [],
    unknown: onCall?.unknown ?? [],
    failure: null,
  };
}

/** @param id `ntc_…` @returns why a channel can't be notified; nothing if it can */
function unreached(id: string, channels: readonly Channel[]): Recipient[] {
  const channel = channels.find((each) => encodeId('ntc', each.id) === id);
  if (!channel) return [{ name: null, result: 'deleted' }];
  if (!channel.disabledAt) return [];
  const result = channel.disabledReason === 'muted' ? 'muted' : 'disabled';
  return [{ name: channel.name, result }];
}
