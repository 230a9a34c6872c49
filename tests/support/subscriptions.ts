/** What the start of every process does: tests call services in their own process. */
import { subscribeDeliveries } from '@/lib/deliveries/subscriptions';
import { subscribeEngine } from '@/lib/engine/subscriptions';
import { subscribeIncidents } from '@/lib/incidents/subscriptions';
import { subscribePaging } from '@/lib/paging/advance-paging';

subscribeEngine();
// Before deliveries, which asks whether a chain is about an incident.
subscribeIncidents();
subscribeDeliveries();
subscribePaging();
