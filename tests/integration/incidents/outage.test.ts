/** From the first failed check to the proven recovery, on a clock that the test moves. */
import { expect, it } from 'vitest';
import { wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { expectRebuilt } from './support/rebuilding';
import { startWatch } from './support/watching';

useTestDatabase();

it('[INC-1.2] [INC-2.1] a healthy time costs nothing: no chain, no incident, no message', async () => {
  const watch = await startWatch();
  await watch.minutes(10);
  expect(await watch.chains()).toEqual([]);
  expect(await watch.incidents()).toEqual([]);
  expect(await watch.messages()).toEqual([]);
});

it('[INC-2.1] [INC-2.2] [INC-3.1] an outage is one incident with one message for each change', async () => {
  const watch = await startWatch();
  await watch.minutes(3);
  await watch.minute({ web: 'down' });
  expect(await watch.incidents()).toEqual([]);
  const firstFailure = watch.now();
  await watch.minute({ web: 'down' });
  expect(await watch.incidents()).toMatchObject([
    { number: 1, state: 'open', source: 'check', startedAt: firstFailure, severity: 'critical' },
  ]);
  // The agent looks, because a check changed, and says that it can't help.
  expect(await watch.chains()).toEqual([{ trigger: 'check', outcome: null }]);
  await watch.playChain({ report: wantsHelp() });
  expect(await watch.chains()).toEqual([{ trigger: 'check', outcome: 'needs_human' }]);
  await watch.minutes(5, { web: 'down' });
  expect(await watch.chains()).toHaveLength(1);
  expect(await watch.messages()).toEqual([
    'Checkout: web, Incident #1 opened',
    'Checkout: web, Incident #1 needs a human',
  ]);
  await watch.minutes(2);
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying', needsHumanSince: null }]);
  await watch.minutes(9);
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
  await watch.minute();
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'recovered' }]);
  expect(await watch.messages()).toEqual([
    'Checkout: web, Incident #1 opened',
    'Checkout: web, Incident #1 needs a human',
    'Checkout: web, Incident #1 is resolved',
  ]);
});

it('[INC-3.1] a window without results proves nothing: it is over with the first pass after its end', async () => {
  const watch = await startWatch();
  await watch.minute();
  await watch.minutes(2, { web: 'down' });
  await watch.playChain({});
  await watch.minutes(3);
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
  await watch.silence(20);
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
  await watch.minute();
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved' }]);
});

it('[INC-2.2] a chain that needs a human says so itself once the checks pass', async () => {
  const watch = await startWatch();
  await watch.minute();
  await watch.minutes(2, { web: 'down' });
  await watch.minutes(3);
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
  await watch.playChain({ report: wantsHelp() });
  expect(await watch.messages()).toEqual([
    'Checkout: web, Incident #1 opened',
    expect.stringMatching(/^Checkout: .*needs a human/),
  ]);
});

it('[OUT-2.2] people get one message about services that fail together, and it names all of them', async () => {
  const watch = await startWatch();
  await watch.minutes(2);
  await watch.minutes(2, { web: 'down', db: 'down' });
  expect((await watch.messages())[0]).toBe('Checkout: web and db, Incident #1 opened');
  await expectRebuilt(watch);
});
