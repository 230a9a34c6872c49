import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { RecipientState, RecipientStep } from '../retry-policy';
import type { DeliveryRecord } from './data';
import type { SendResult } from './send-result';

export type Prepared =
  | {
      kind: 'ready';
      /** As the log shows them; never a secret. */
      headers: Record<string, string>;
      /** Never rejects: whatever goes wrong has a name in the result. */
      send(): Promise<SendResult>;
    }
  /** The recipient is switched off, so nothing goes to it. */
  | { kind: 'cancelled' }
  /** It cannot be sent by anybody; `text` says why and what to do. */
  | { kind: 'unusable'; error: string; text: string };

/** How deliveries to one kind of recipient leave. The first and the last are called in transactions. */
export interface Transport {
  prepare(db: TenantDb, delivery: DeliveryRecord, now: Date): Promise<Prepared>;
  recipientState(db: TenantDb, delivery: DeliveryRecord): Promise<RecipientState>;
  /** @returns ids of the deliveries that it led to, to ring for after the commit */
  applyStep(
    db: TenantDb,
    scope: TenantScope,
    delivery: DeliveryRecord,
    step: RecipientStep,
    now: Date,
  ): Promise<string[]>;
}
