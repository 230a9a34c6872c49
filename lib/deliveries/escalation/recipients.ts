/** Who a step notifies: pure, from the schedules, the channels and a clock. */

import { encodeId } from '@/lib/platform/ids';
import { stepOf, stepsToTry } from './due-step';
import { onCallAt, type Schedule } from './on-call';
import type { Plan, Recipient, Recipients, Step } from './schema';

interface Channel {
  /** UUID. */
  id: string;
  name: string;
  /** Null: it is on. */
  disabledAt: Date | null;
  disabledReason: string | null;
}

interface Facts<Row extends Channel> {
  schedules: readonly (Schedule & { id: string; name: string })[];
  /** Of the organization, also those that are off. */
  channels: readonly Row[];
  /** UUIDs of channels that have received a message about the incident since the step was due. */
  announced: readonly string[];
  now: Date;
}

/** The channels to notify, and what became of all that a step names. */
interface Choice<Row extends Channel> {
  notify: Row[];
  /** Whether anybody is notified, or has just been. */
  isReached: boolean;
  recipients: Recipients;
}

/**
 * Finds the step to send: the one that is due, or if it reaches nobody, the next one that does. A later one whose
 * people have just received a message about the incident keeps its time.
 *
 * @returns the channels to notify; null if no step reaches anybody. And every step that is over, by number
 */
export function chooseStep<Row extends Channel>(
  plan: Plan,
  due: { number: number; skipped: readonly number[] },
  facts: Facts<Row>,
): { send: { number: number; notify: Row[] } | null; tried: Map<number, Recipients> } {
  const tried = new Map<number, Recipients>();
  for (const number of stepsToTry(plan, due)) {
    const { notify, isReached, recipients } = chooseRecipients(stepOf(plan, number), facts);
    const keepsItsTime = number > due.number && isReached && notify.length === 0;
    if (!keepsItsTime) tried.set(number, recipients);
    if (isReached) return { send: { number, notify }, tried };
  }
  return { send: null, tried };
}

/**
 * Chooses the channels of a step: those of whoever is on call, else the step's own. Channels that are off or
 * deleted aren't chosen, and if that leaves nobody of those on call, the step's own are.
 */
export function chooseRecipients<Row extends Channel>(
  step: Step | undefined,
  { schedules, channels, announced, now }: Facts<Row>,
): Choice<Row> {
  const schedule = schedules.find(({ id }) => encodeId('ocs', id) === step?.scheduleId);
  const shifts = schedule ? onCallAt(schedule, now) : [];
  const listening = (ids: readonly string[]) =>
    channels.filter((channel) => !channel.disabledAt && ids.includes(encodeId('ntc', channel.id)));
  const idsOnCall = shifts.flatMap(({ channelIds }) => channelIds);
  const onCall = listening(idsOnCall);
  const own = step?.channelIds ?? [];
  const chosen = onCall.length > 0 ? onCall : listening(own);
  const asked = onCall.length > 0 ? idsOnCall : [...idsOnCall, ...own];
  return {
    notify: chosen.filter(({ id }) => !announced.includes(id)),
    isReached: chosen.length > 0,
    recipients: {
      channels: [
        ...chosen.map(({ id, name }): Recipient => {
          return { name, result: announced.includes(id) ? 'announced' : 'sent' };
        }),
        ...[...new Set(asked)].flatMap((id) => unreached(id, channels)),
      ],
      schedule: schedule?.name ?? null,
      onCall: [...new Set(shifts.map(({ name }) => name))],
      reportedTo: null,
    },
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
