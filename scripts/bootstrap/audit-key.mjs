import { hkdfSync } from 'node:crypto';
import pg from 'pg';

const BLOCK_BYTES = 64;
const KEY_BYTES = 32;

/**
 * Writes the key that entries of the audit log are signed with, as the owner: no other login reads or
 * changes it. lib/identity/audit/data.ts makes the same key.
 */
export async function writeAuditKey(ownerUrl, secretKey) {
  const key = Buffer.alloc(BLOCK_BYTES);
  const purpose = 'tierwatch:audit-entries';
  Buffer.from(hkdfSync('sha256', secretKey, '', purpose, KEY_BYTES)).copy(key);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(
      `insert into app.audit_key (inner_pad, outer_pad) values ($1, $2)
       on conflict (is_one) do update set inner_pad = excluded.inner_pad, outer_pad = excluded.outer_pad`,
      [key.map((byte) => byte ^ 0x36), key.map((byte) => byte ^ 0x5c)],
    );
  } finally {
    await client.end();
  }
}
