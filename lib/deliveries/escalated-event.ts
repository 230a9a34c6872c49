/** What a message of an escalation step is, and when it may still be sent. */

/** Event type in the delivery log. Nobody subscribes to it: the policy names its channels. */
export const ESCALATED_EVENT = 'incident.escalated';

/** Whether nobody works on an incident, so that people are notified of its escalation. */
export function isOpen({ state }: { state: string }): boolean {
  return state === 'open';
}
