/** An operator's conversations with the agent, and what each turn says of how it began. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/story';

const ANSWER_MS = 60_000;

const turn = (page: Page, position: number): Locator =>
  page.getByRole('article', { name: `Turn ${position}`, exact: true });

/** What stands below a turn: how it began and why, and the input tokens of both kinds. */
async function expectBegun(page: Page, position: number, mode: string, why: string) {
  const shown = turn(page, position);
  await expect(page.getByText(`answered turn ${position}.`)).toBeVisible({
    timeout: ANSWER_MS,
  });
  await expect(shown.getByText(mode, { exact: true })).toBeVisible();
  await expect(shown.getByText(why, { exact: true })).toBeVisible();
  await expect(shown.getByText(/^[\d.]+k? new in$/)).toBeVisible();
  await expect(shown.getByText(/^[\d.]+k? from cache$/)).toBeVisible();
}

async function send(page: Page, message: string): Promise<void> {
  await page.getByLabel('Your message').fill(message);
  await page.getByLabel('Your message').press('Control+Enter');
}

async function begin(page: Page, address: string, label: string, message: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel(label).fill(message);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page).toHaveURL(/\/ask\/cnv_/);
}

test('[CNV-5.1] an operator asks, follows up, edits, switches the agent, starts fresh, and reads why', async ({
  page,
  story,
}) => {
  const { demo } = story;
  await demo.configure({
    askAgents: [
      { name: 'Quick', harness: 'demo', model: 'haiku' },
      { name: 'Careful', harness: 'demo', model: 'sonnet' },
    ],
  });

  await test.step('the first turn is a fresh start', async () => {
    await begin(page, `${demo.root}/ask`, 'Ask a question', 'Is web healthy now?');
    await expectBegun(page, 1, 'Fresh start', 'First turn: there is no earlier conversation.');
    await expect(
      turn(page, 1)
        .getByText(/web is \w+/)
        .first(),
    ).toBeVisible();
  });

  await test.step('[CNV-1.1] a follow-up resumes', async () => {
    await send(page, 'Is it still so?');
    await expectBegun(page, 2, 'Resumed', 'Continues the conversation of turn 1.');
  });

  await test.step('a draft outlives the page', async () => {
    await page.getByLabel('Your message').fill('Not sent yet');
    await page.reload();
    await expect(page.getByLabel('Your message')).toHaveValue('Not sent yet');
  });

  await test.step('what the agent did is folded, as in a session', async () => {
    const shown = turn(page, 2);
    await shown.getByRole('button', { name: 'What the agent did' }).click();
    const call = shown.getByRole('button', { name: /check/ }).first();
    await expect(call).toHaveAttribute('aria-expanded', 'false');
    await call.click();
    await expect(call).toHaveAttribute('aria-expanded', 'true');
  });

  await test.step('[CNV-2.1] an edit sends the whole transcript', async () => {
    await turn(page, 2).getByRole('button', { name: 'Acts on turn 2' }).click();
    await page.getByRole('menuitem', { name: 'Edit and send again' }).click();
    await expect(page.getByText('Turn 2 will be replaced by this.')).toBeVisible();
    await page.getByLabel('Edit turn 2').fill('What was seen so far?');
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect(turn(page, 2).getByText('What was seen so far?')).toBeVisible();
    await expectBegun(
      page,
      2,
      'Whole transcript',
      "Couldn't continue turn 1: what was said before has been edited, retried or cut since. The full transcript was sent instead.",
    );
  });

  await test.step('[CNV-2.5] another agent gets the whole transcript', async () => {
    await page.getByLabel('Agent').selectOption('Careful');
    await send(page, 'What did you see?');
    await expectBegun(
      page,
      3,
      'Whole transcript',
      "Couldn't continue turn 2: it was held by another agent. The full transcript was sent instead.",
    );
    await expect(turn(page, 3).getByText('Careful (sonnet)')).toBeVisible();
  });

  await test.step('[CNV-4.1] start fresh says what it does, and does it', async () => {
    await page.getByLabel('Start fresh').check();
    await expect(page.getByText(/^Nothing is resumed:/)).toBeVisible();
    await send(page, 'And from the beginning?');
    await expectBegun(
      page,
      4,
      'Whole transcript',
      'A fresh start was requested. The full transcript was sent instead.',
    );
  });

  await test.step('what was taken out is said, and stays on record', async () => {
    await turn(page, 4).getByRole('button', { name: 'Acts on turn 4' }).click();
    await page.getByRole('menuitem', { name: 'Take out from here' }).click();
    await page.getByRole('button', { name: 'Take out turn 4' }).click();
    await expect(turn(page, 4)).toHaveCount(0);
    await expect(page.getByText('2 turns were taken out of the history.')).toBeVisible();
    await page.getByRole('link', { name: 'Show them' }).click();
    await expect(page.getByText(/^Taken out by/)).toHaveCount(2);
  });

  const menu = page.getByRole('button', { name: 'More for this conversation' });
  await test.step('it is renamed', async () => {
    await menu.click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByLabel('Title').fill('The health of web');
    await page.getByRole('button', { name: 'Rename conversation' }).click();
    await expect(page.getByRole('heading', { name: 'The health of web' })).toBeVisible();
  });

  await test.step('it is deleted, and its address no longer works', async () => {
    const address = page.url();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete this conversation' });
    await expect(
      dialog.getByText(/go for everyone: 3 turns and 2 that were taken out\./),
    ).toBeVisible();
    await expect(dialog.getByText(/^What it cost \(\$.+\) stays/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Delete conversation' }).click();
    await expect(page).toHaveURL(`${demo.root}/ask`);
    await expect(page.getByText('The health of web')).toHaveCount(0);
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
  });
});

test('[CNV-4.3] the agent’s question is answered in the page, once, on a resumed turn too', async ({
  page,
  story,
}) => {
  const { demo } = story;
  await begin(page, `${demo.root}/ask`, 'Ask a question', 'What is watched here?');
  await expectBegun(page, 1, 'Fresh start', 'First turn: there is no earlier conversation.');
  await send(page, 'Which service do I mean? Check it.');
  const form = turn(page, 2).getByRole('form', { name: 'The agent’s question' });
  await expect(form).toBeVisible({ timeout: ANSWER_MS });
  await expect(page.getByText(/waits for an answer\.$/)).toBeVisible();
  await form.getByRole('button', { name: 'Send answer' }).click();
  await expect(form.getByText('Choose an answer.')).toBeVisible();
  await form.getByRole('radio', { name: /^web/ }).check();
  await form.getByRole('button', { name: 'Send answer' }).click();
  const asked = turn(page, 2).getByRole('region', { name: 'The agent’s question' });
  await expect(asked.getByText(/^Answered by/)).toBeVisible();
  await expect(asked.getByText('web', { exact: true })).toBeVisible();
  await expectBegun(page, 2, 'Resumed', 'Continues the conversation of turn 1.');
  await expect(turn(page, 2).getByText('You chose web.')).toBeVisible();
  await expect(form).toHaveCount(0);
});

test('a finished chain is asked about from its page, and stays as it was', async ({
  page,
  story,
}) => {
  const { demo, chain, sessions } = story;
  await page.goto(`${demo.root}/chains/${chain.number}`);
  await page.getByRole('main').getByRole('link', { name: 'Ask', exact: true }).click();
  await page.getByLabel(`Ask about Chain #${chain.number}`).fill('What did you do to web?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const last = sessions.at(-1);
  await expectBegun(page, 1, 'Resumed', `Continues the conversation of Session #${last?.number}.`);
  await expect(
    turn(page, 1)
      .getByText(/democtl/)
      .first(),
  ).toBeVisible();
  expect(await Promise.all(sessions.map(({ id }) => demo.session(id)))).toEqual(sessions);
});
