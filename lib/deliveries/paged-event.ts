/** Event type of the messages of paging, in the delivery log. Nobody subscribes to it: the policy names its channels. */
export const PAGED_EVENT = 'incident.paged';
