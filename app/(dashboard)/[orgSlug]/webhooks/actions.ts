'use server';

import { actionOf } from '@/app/_actions/action-of';
import * as deliveries from '@/lib/operations/webhook-deliveries';
import * as endpoints from '@/lib/operations/webhook-endpoints';

/** The secret is in the answer and nowhere else. */
export const createEndpoint = actionOf(endpoints.create);
export const updateEndpoint = actionOf(endpoints.update);
export const deleteEndpoint = actionOf(endpoints.remove);
/** The secret is in the answer and nowhere else. */
export const rotateSecret = actionOf(endpoints.rotate);
export const sendTestEvent = actionOf(endpoints.sendTest);
export const recoverDeliveries = actionOf(endpoints.recover);
export const replayDelivery = actionOf(deliveries.replay);
