'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import {
  createEndpoint as create,
  deleteEndpoint as remove,
  rotateSecret as rotate,
  updateEndpoint as update,
} from '@/lib/deliveries/endpoints/manage-endpoints';
import {
  createEndpointSchema,
  TARGET_RULES,
  updateEndpointSchema,
} from '@/lib/deliveries/endpoints/schema';
import {
  replayDelivery as replay,
  sendTestEvent as sendTest,
} from '@/lib/deliveries/manage-deliveries';
import { recoverDeliveries as recover } from '@/lib/deliveries/recover-deliveries';

const endpointSchema = z.object({ endpointId: z.string() });

/** The secret is in the answer and nowhere else. */
export const createEndpoint = action(
  createEndpointSchema(TARGET_RULES),
  async ({ scope, input }) => {
    const { id, secret } = await create(scope, input);
    return { id, secret };
  },
);

export const updateEndpoint = action(
  updateEndpointSchema(TARGET_RULES).extend(endpointSchema.shape),
  async ({ scope, input: { endpointId, ...changes } }) => {
    await update(scope, endpointId, changes);
  },
);

export const deleteEndpoint = action(endpointSchema, async ({ scope, input }) => {
  await remove(scope, input.endpointId);
});

/** The secret is in the answer and nowhere else. */
export const rotateSecret = action(endpointSchema, async ({ scope, input }) => {
  const { secret } = await rotate(scope, input.endpointId);
  return { secret };
});

export const sendTestEvent = action(endpointSchema, async ({ scope, input }) => {
  const { id } = await sendTest(scope, input.endpointId);
  return { deliveryId: id };
});

export const replayDelivery = action(
  z.object({ deliveryId: z.string() }),
  async ({ scope, input }) => {
    await replay(scope, input.deliveryId);
  },
);

export const recoverDeliveries = action(
  endpointSchema.extend({ since: z.iso.datetime() }),
  async ({ scope, input }) => ({
    deliveries: await recover(scope, input.endpointId, new Date(input.since)),
  }),
);
