/** An answer grows in the page while the agent writes it. */
import { expect, test } from '../support/story';

const ANSWER_MS = 60_000;

test('[CNV-1.1] a reader sees an answer grow before its turn has ended, and then once', async ({
  page,
  story,
}) => {
  const { demo } = story;
  await page.goto(`${demo.root}/ask`);
  // The demo agent writes for about a second: it begins once the page is there to see it.
  const letBegin = await demo.holdRunner();
  try {
    await page.getByLabel('Ask a question').fill('What is watched here?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await expect(page).toHaveURL(/\/ask\/cnv_/);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
  } finally {
    await letBegin();
  }

  // Looked for in every frame, since the next words may be a moment away.
  const beginning = await page.waitForFunction(
    () => document.querySelector('section[aria-busy="true"]')?.textContent?.trim() || null,
    null,
    { polling: 'raf', timeout: ANSWER_MS },
  );
  const words = String(await beginning.jsonValue());
  const turn = page.getByRole('article', { name: 'Turn 1', exact: true });
  await test.step('a page that is loaded again has it as well', async () => {
    await page.reload();
    await expect(turn.getByText(words)).toHaveCount(1, { timeout: ANSWER_MS });
  });

  await expect(page.getByText('answered turn 1.')).toBeVisible({ timeout: ANSWER_MS });
  await expect(turn.getByText(words)).toHaveCount(1);
  await expect(page.locator('section[aria-busy="true"]')).toHaveCount(0);
  await expect(turn.getByText('Unfinished answer')).toHaveCount(0);
  await expect(turn.getByText(/demo agent: no model wrote this/)).toHaveCount(1);
  await turn.getByRole('button', { name: 'What the agent did' }).click();
  await expect(turn.getByText('It called nothing.')).toBeVisible();
  await expect(turn.getByText(words)).toHaveCount(1);
});
