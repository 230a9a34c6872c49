/** What the start of every process does: tests call services in their own process. */
import { subscribeDeliveries } from '@/lib/deliveries/subscriptions';
import { subscribeEngine } from '@/lib/engine/subscriptions';

subscribeEngine();
subscribeDeliveries();
