import type { AlertSubject } from '@/lib/deliveries/alert';
import { announce } from '@/lib/deliveries/announce';
import type { Senders } from '@/lib/deliveries/channels/kind';
import { deliver } from '@/lib/deliveries/deliver';
import type { ChainSummary, Happening } from '@/lib/deliveries/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { createMailer } from '@/lib/platform/mail';
import { createOutboundClient } from '@/lib/platform/outbound-http/client';
import { CHECKOUT_DOWN } from '@/tests/support/signals/alerts';

/** What a worker sends with when private targets are allowed and SMTP_URL is set. */
export function sendersFor(smtpUrl: string | null): Senders {
  const http = createOutboundClient({ allowPrivate: true });
  const mailer = smtpUrl ? createMailer({ smtpUrl, from: 'tierwatch@ops.example' }) : null;
  return { http, trustedHttp: http, mailer };
}

/** A chain that ended so. It has no row, so it stands in no project's feed. */
export function chainEnd(outcome: ChainSummary['chain']['outcome'], number = 12): Happening {
  const endedAt = new Date().toISOString();
  return {
    projectId: null,
    chainId: null,
    occasion: `chain.completed:${number}`,
    event: {
      type: 'chain.completed',
      timestamp: endedAt,
      data: {
        organization: { id: 'org_1', slug: 'acme', name: 'Acme' },
        project: { id: 'prj_1', slug: 'shop', name: 'Shöp <b>' },
        chain: {
          id: 'chn_1',
          number,
          trigger: 'schedule',
          outcome,
          reason: null,
          explanation: 'Tier 3 found a full disk.',
          highestTier: 3,
          isDryRun: false,
          startedAt: null,
          endedAt,
        },
        sessions: [],
        totalCostUsd: 2.5,
        servicesAffected: ['payments-db'],
        summary: `Chain #${number} of Shop needs a human.`,
        link: 'https://ops.example/acme/projects/shop/chains/12',
      },
    },
  };
}

/** Writes them down and gives the new deliveries' UUIDs. */
export function tell(scope: TenantScope, happenings: readonly Happening[], now = new Date()) {
  return inTransaction(scope, (db) => announce(db, happenings, now));
}

export async function tellAndSend(
  scope: TenantScope,
  happening: Happening,
  using: Senders,
  now = new Date(),
): Promise<string[]> {
  const ids = await tell(scope, [happening], now);
  for (const id of ids) await deliver(scope, id, now, using);
  return ids;
}

export function readDelivery(scope: TenantScope, id: string) {
  return inTransaction(scope, (db) =>
    db.webhookDelivery.findFirstOrThrow({ where: { id }, include: { log: true } }),
  );
}

/** A change of an incident, sent to the channels that are subscribed to chains that need a human. */
export function alertHappening(changes: Partial<AlertSubject> = {}): Happening {
  const alert = { ...CHECKOUT_DOWN, ...changes };
  const happening = chainEnd('needs_human');
  const occasion = `alert:${alert.dedupKey}:${alert.sequence}`;
  return { ...happening, occasion, event: { ...happening.event, alert } };
}
