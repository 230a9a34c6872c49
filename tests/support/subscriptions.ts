/** What the start of every process does: tests call services in their own process. */
import { subscribeDeliveries } from '@/lib/deliveries/subscriptions';

subscribeDeliveries();
