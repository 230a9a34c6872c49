/** Parts of paths. An id is read where it is looked up, so that a wrong one is not found. */
import { z } from 'zod';
import { tierSchema } from '@/lib/protocol/spec';

/** `projectId` is an id (`prj_…`) or a slug. */
export const projectParams = z.object({ projectId: z.string() });
export const serviceParams = projectParams.extend({ serviceName: z.string() });
export const tierParams = projectParams.extend({
  tier: z.coerce.number().pipe(tierSchema),
});
export const chainParams = z.object({ chainId: z.string() });
export const sessionParams = z.object({ sessionId: z.string() });
export const conversationParams = z.object({ conversationId: z.string() });
export const turnParams = conversationParams.extend({ turnId: z.string() });
export const runnerParams = z.object({ runnerId: z.string() });
export const endpointParams = z.object({ endpointId: z.string() });
export const deliveryParams = z.object({ deliveryId: z.string() });
export const channelParams = z.object({ channelId: z.string() });
export const tokenParams = z.object({ tokenId: z.string() });
export const memberParams = z.object({ memberId: z.string() });
export const invitationParams = z.object({ invitationId: z.string() });
