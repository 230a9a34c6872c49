/** Who a step notifies: pure, from the schedules, the channels and a clock. */

import { encodeId } from '@/lib/platform/ids';
import { onCallAt, type Schedule } from './on-call';
import type { Recipients, Step } from './schema';

interface Channel {
  /** UUID. */
  id: string;
  name: string;
}

/**
 * Chooses the channels of a step: those of whoever is on call, else the step's own. Channels that are off or
 * deleted aren't chosen, and if that leaves nobody of those on call, the step's own are.
 *
 * @param channels those that are on
 * @param announced UUIDs of channels that have received a message about the incident since the step was due
 * @returns the channels to notify, and who the step counts as having notified
 */
export function chooseRecipients<Row extends Channel>(
  step: Step | undefined,
  schedules: readonly (Schedule & { id: string; name: string })[],
  channels: readonly Row[],
  announced: readonly string[],
  now: Date,
): { notify: Row[]; recipients: Recipients } {
  const schedule = schedules.find(({ id }) => encodeId('ocs', id) === step?.scheduleId);
  const named = (ids: readonly string[]) =>
    channels.filter(({ id }) => ids.includes(encodeId('ntc', id)));
  const shifts = schedule ? onCallAt(schedule, now) : [];
  const ofOnCall = named(shifts.flatMap(({ channelIds }) => channelIds));
  const isReached = ofOnCall.length > 0;
  const chosen = isReached ? ofOnCall : named(step?.channelIds ?? []);
  return {
    notify: chosen.filter(({ id }) => !announced.includes(id)),
    recipients: {
      channels: chosen.map(({ id, name }) => ({
        name,
        result: announced.includes(id) ? 'announced' : 'sent',
      })),
      schedule: schedule?.name ?? null,
      onCall: isReached ? [...new Set(shifts.map(({ name }) => name))] : [],
    },
  };
}
