import { notFound } from 'next/navigation';
import { cache } from 'react';
import { getEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { getDelivery } from '@/lib/deliveries/manage-deliveries';
import type { DeliveryDto } from '@/lib/deliveries/outbox/schema';
import { requireMember } from '@/lib/identity/auth/current-user';
import { getChain } from '@/lib/insight/chains/get-chain';
import type { TenantScope } from '@/lib/platform/db/scope';
import { NotFoundError } from '@/lib/platform/errors';

/** The endpoint for the page and its title; the 404 page when it is not there. */
export const loadEndpoint = cache(async (orgSlug: string, endpointId: string) => {
  const { scope } = await requireMember(orgSlug);
  try {
    return { scope, endpoint: await getEndpoint(scope, endpointId) };
  } catch (error) {
    if (error instanceof NotFoundError) notFound();
    throw error;
  }
});

interface OpenDelivery {
  delivery: DeliveryDto;
  /** The chain it is about; null for a test event. */
  chain: { href: string; label: string } | null;
}

/** The delivery that the address opens; null when this endpoint has none of that id. */
export async function loadDelivery(
  scope: TenantScope,
  endpointId: string,
  deliveryId: string | undefined,
): Promise<OpenDelivery | null> {
  if (!deliveryId) return null;
  const delivery = await orNull(getDelivery(scope, deliveryId));
  if (delivery?.endpointId !== endpointId) return null;
  const found = delivery.chainId ? await orNull(getChain(scope, delivery.chainId)) : null;
  if (!found) return { delivery, chain: null };
  const { project, number } = found;
  return {
    delivery,
    chain: {
      href: `/${scope.organizationSlug}/projects/${project.slug}/chains/${number}`,
      label: `${project.name} #${number}`,
    },
  };
}

async function orNull<Row>(row: Promise<Row>): Promise<Row | null> {
  try {
    return await row;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
