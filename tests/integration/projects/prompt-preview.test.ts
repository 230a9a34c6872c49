import { expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { previewPrompt } from '@/lib/insight/project-settings';
import { makeCast } from '@/tests/support/cast/organization';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

it('[SAS-2.1] a prompt is previewed with the values of the last cycle that came to its tier', async () => {
  const cast = await makeCast();
  const body = 'Look after {{affected}} of {{project}}.{{request}}';
  const about = { project: cast.projectSlug, tier: 2, body } as const;
  expect(await previewPrompt(cast.alice, about)).toEqual({
    text: 'Look after web of Checkout.\n',
    chainNumber: null,
  });
  const input = { projectId: cast.projectId, trigger: 'manual', prompt: 'Mind the disk.' } as const;
  await startChain(cast.alice, input);
  await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp(['db']) });
  expect(await previewPrompt(cast.alice, about)).toEqual({
    text: 'Look after db of Checkout.\nAn operator also asks: Mind the disk.\n',
    chainNumber: 1,
  });
});

it('[SAS-2.1] a variable that there is not is refused at its field', async () => {
  const { alice, projectSlug } = await makeCast();
  const preview = async () =>
    previewPrompt(alice, { project: projectSlug, tier: 1, body: 'See {{affected}}.' });
  await expect(preview()).rejects.toMatchObject({
    fields: { body: 'There is no input named affected. Use project, request.' },
  });
});
