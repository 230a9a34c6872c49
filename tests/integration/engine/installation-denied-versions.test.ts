/** TIERWATCH_DENIED_CLI_VERSIONS denies versions for every organization. */
import { expect, it } from 'vitest';
import { getOrganization } from '@/lib/identity/organizations/service';
import { makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { refusalOf, startOne } from './support/running';

// Before anything reads the environment, which is parsed once.
process.env.TIERWATCH_DENIED_CLI_VERSIONS = '1.0.0, <2.1.198';
useTestDatabase();

it('[ENG-2.7] nothing starts under a version that the installation denies', async () => {
  const cast = await makeCast();
  const chainId = await startOne(cast);
  expect(await refusalOf(claimNext(cast.runner))).toBe('cli_denied');
  const { chain, decisions } = await readChain(cast.alice, chainId);
  expect(chain.statusText).toBe(
    'Not started yet: runner-1 has Claude Code 2.1.197, which TIERWATCH_DENIED_CLI_VERSIONS denies (<2.1.198). Install another version of Claude Code there, or connect another runner to pool default.',
  );
  const facts = decisions[0]?.facts as { guards: { id: string; compared: object }[] };
  expect(facts.guards.find(({ id }) => id === 'G23')?.compared).toMatchObject({
    deniedByInstallation: '1.0.0, <2.1.198',
    deniedByOrganization: 'none',
  });
  expect(await getOrganization(cast.alice)).toMatchObject({
    deniedCliVersions: [],
    installationDeniedCliVersions: ['1.0.0', '<2.1.198'],
  });
});
