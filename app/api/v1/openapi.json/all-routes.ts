// Loaded for what they register; an architecture test holds this list equal to the folder.
import '../audit/route';
import '../audit/verification/route';
import '../chains/[chainId]/route';
import '../chains/[chainId]/acknowledge/route';
import '../chains/[chainId]/stop/route';
import '../channels/route';
import '../channels/[channelId]/route';
import '../channels/[channelId]/test/route';
import '../checkpoints/route';
import '../checkpoints/[sessionId]/route';
import '../conversations/route';
import '../conversations/[conversationId]/route';
import '../conversations/[conversationId]/turns/route';
import '../conversations/[conversationId]/turns/[turnId]/route';
import '../conversations/[conversationId]/turns/[turnId]/answer/route';
import '../conversations/[conversationId]/turns/[turnId]/retry/route';
import '../conversations/[conversationId]/turns/[turnId]/stop/route';
import '../invitations/route';
import '../invitations/[invitationId]/route';
import '../invitations/[invitationId]/resend/route';
import '../members/route';
import '../members/[memberId]/route';
import '../organization/route';
import '../organization/pause/route';
import '../projects/route';
import '../projects/[projectId]/route';
import '../projects/[projectId]/chains/route';
import '../projects/[projectId]/pause/route';
import '../projects/[projectId]/services/[serviceName]/snooze/route';
import '../projects/[projectId]/tiers/[tier]/pause/route';
import '../runners/route';
import '../runners/[runnerId]/route';
import '../runners/[runnerId]/drain/route';
import '../runners/[runnerId]/pause/route';
import '../runners/[runnerId]/revoke/route';
import '../runners/[runnerId]/rotate/route';
import '../sessions/route';
import '../sessions/[sessionId]/route';
import '../sessions/[sessionId]/checkpoint/route';
import '../sessions/[sessionId]/discard/route';
import '../sessions/[sessionId]/events/route';
import '../tokens/route';
import '../tokens/[tokenId]/route';
import '../usage/route';
import '../webhook-deliveries/route';
import '../webhook-deliveries/[deliveryId]/route';
import '../webhook-deliveries/[deliveryId]/replay/route';
import '../webhook-endpoints/route';
import '../webhook-endpoints/[endpointId]/route';
import '../webhook-endpoints/[endpointId]/recover/route';
import '../webhook-endpoints/[endpointId]/rotate/route';
import '../webhook-endpoints/[endpointId]/test/route';
import { type RouteDescription, routeRegistry } from '@/lib/api/route-registry';

/** Every route of the REST API. Next loads a route's file only when it is asked for. */
export function allRoutes(): RouteDescription[] {
  return [...routeRegistry().values()].filter((route) => route.path.startsWith('/api/v1/'));
}
