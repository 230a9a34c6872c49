/** Ledger rows that were booked before they named their source. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { runSql, useTestDatabase } from '@/tests/support/database';
import { startOne } from './support/running';

const database = useTestDatabase();
const MIGRATION = 'prisma/migrations/20261123121000_ledger_source/migration.sql';

it('[ENG-4.1] get one from the migration, for every organization', async () => {
  const chains = [];
  for (const cast of [await makeCast(), await makeCast()]) {
    const chainId = await startOne(cast);
    chains.push({ cast, chainId });
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
    // Killed without a result: what it used is estimated.
    await play(cast.runner, await claimNext(cast.runner), {
      isSilent: true,
      result: { exit: { code: null, signal: 'SIGKILL' } },
    });
  }
  await runSql(database.superuserUrl, 'alter table ledger_entry drop column source');
  await runSql(database.ownerUrl, readFileSync(MIGRATION, 'utf8'));
  for (const { cast, chainId } of chains) {
    const { ledger } = await readChain(cast.alice, chainId);
    expect(ledger.map(({ source, isEstimate }) => [source, isEstimate])).toEqual([
      ['reported', false],
      ['estimated', true],
    ]);
  }
  const unnamed = "update ledger_entry set source = 'somewhere' where is_estimate";
  await expect(runSql(database.superuserUrl, unnamed)).rejects.toThrow('ledger_source');
});
