/** Every process that processes alerts calls this when it starts. */

import { subscribe } from '@/lib/platform/domain-events';
import { alertsChanged } from './domain-events';

/** An event without a subscriber is an error, and no later module subscribes to this one yet. */
export function subscribeAlerts(): void {
  subscribe(alertsChanged, 'alerts', async () => []);
}
