/** Starts of tiers that people decide about, on a phone and on a desk. */
import { type Browser, expect, type Page, type Route, test } from '@playwright/test';
import { Demo } from './support/demo';
import { PASSWORD } from './support/new-organization';
import { expectNoViolations, expectNoViolationsInBothThemes } from './support/violations';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** The least that a thumb hits. */
const LEAST_HEIGHT = 44;

let demo: Demo;
let owner: Page;
let operator: Page;

/** Somebody else than who starts the chains. */
async function joinAsOperator(browser: Browser): Promise<Page> {
  const email = `bo-${Date.now()}@example.com`;
  const invited = await owner.request.post('/api/v1/invitations', {
    headers: { authorization: `Bearer ${demo.token}` },
    data: { email, role: 'operator' },
  });
  // No mail server runs, so the link is answered.
  const { link } = await invited.json();
  const page = await (await browser.newContext()).newPage();
  await page.goto(new URL(link).pathname);
  await page.getByLabel('Your name').fill('Bo Lind');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: /^Join / }).click();
  await expect(page).not.toHaveURL(/\/invite\//);
  return page;
}

test.beforeAll(async ({ browser }) => {
  owner = await browser.newPage();
  demo = await Demo.open(owner);
  await demo.configure({ maxTier: 2, tiers: [{ tier: 2, requiresApproval: true }] });
  operator = await joinAsOperator(browser);
});

test.afterAll(async () => {
  await demo.configure({ maxTier: 3, tiers: [{ tier: 2, requiresApproval: false }] });
  // Repairs what the refusal left broken.
  await demo.run();
  await operator.context().close();
  await owner.close();
});

/** Starts a chain that needs tier 2, and waits until it waits. */
async function startWaitingChain(): Promise<number> {
  await demo.break();
  await owner.goto(demo.root);
  await owner.getByRole('button', { name: 'Run now' }).click();
  await expect(owner).toHaveURL(/\/chains\/\d+$/);
  const number = Number(/\d+$/.exec(new URL(owner.url()).pathname)?.[0]);
  await expect(owner.getByRole('link', { name: 'Start of tier 2' })).toBeVisible({
    timeout: 90_000,
  });
  return number;
}

function sidewaysOf(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

test('[BND-4.3] the start of a tier is approved on a phone by somebody else than who started the chain', async () => {
  const number = await startWaitingChain();
  await test.step('whoever started the chain sees why they can’t decide', async () => {
    await expectNoViolations(owner);
    await owner.getByRole('link', { name: 'Start of tier 2' }).click();
    await expect(owner.getByRole('heading', { level: 1 })).toHaveText('Start of tier 2');
    const decision = owner.getByRole('region', { name: 'Decision' });
    await expect(decision).toContainText(
      'You started this chain, so another person has to decide.',
    );
    await expect(decision.getByRole('button')).toHaveCount(0);
  });

  await operator.setViewportSize(PHONE);
  await operator.goto(`/${demo.organization}/approvals`);
  const waiting = operator.getByRole('table', { name: 'Waiting for a decision' });
  await expect(waiting.getByRole('row', { name: /Start of tier 2/ })).toContainText(`#${number}`);
  await expectNoViolations(operator);
  await waiting.getByRole('link', { name: 'Start of tier 2' }).click();
  const approve = operator.getByRole('button', { name: 'Approve' });
  const refuse = operator.getByRole('button', { name: 'Refuse' });
  for (const button of [approve, refuse]) {
    // Without scrolling in any direction.
    await expect(button).toBeInViewport({ ratio: 1 });
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(LEAST_HEIGHT);
  }
  expect(await sidewaysOf(operator)).toBe(0);
  await expectNoViolationsInBothThemes(operator);

  await operator.getByLabel('Note').fill('Nobody deploys right now.');
  await approve.click();
  const decision = operator.getByRole('region', { name: 'Decision' });
  await expect(decision).toContainText('Approved by bo-');
  await expect(decision).toContainText('Nobody deploys right now.');
  await expect(approve).toHaveCount(0);
  await expectNoViolations(operator);

  await operator.goto(`${demo.root}/chains/${number}`);
  await expect(operator.getByRole('main').getByText(/^Chain #\d+ ended:/)).toBeVisible({
    timeout: 90_000,
  });
  await expect(operator.getByText('Tier 2 · Safe remediation').first()).toBeAttached();
});

test('[BND-4.3] [HLD-4.3] the start of a tier is refused on a desk, a decision that comes too late says so, and it is allowed again', async () => {
  const number = await startWaitingChain();
  await operator.setViewportSize(DESK);
  await operator.goto(`/${demo.organization}`);
  const count = operator.getByRole('navigation', { name: 'Main' });
  await expect(count.getByRole('link', { name: 'Approvals' })).toContainText('1 pending');
  await operator.keyboard.press('g');
  await operator.keyboard.press('i');
  await expect(operator).toHaveURL(new RegExp(`/${demo.organization}/approvals$`));
  await operator.getByRole('link', { name: 'Start of tier 2' }).first().click();
  await expect(operator.getByRole('button', { name: 'Approve' })).toBeVisible();
  await expectNoViolationsInBothThemes(operator);

  // Its approval is on the way while the other page refuses.
  const late = await operator.context().newPage();
  await late.goto(operator.url());
  const sent = new Promise<Route>((resolve) => {
    void late.route('**/approvals/apr_*', (route) =>
      route.request().method() === 'POST' ? resolve(route) : route.continue(),
    );
  });
  await late.getByRole('button', { name: 'Approve' }).click();
  const lateApproval = await sent;
  await operator.getByLabel('Note').fill('Wait for the backup.');
  await operator.getByRole('button', { name: 'Refuse' }).click();
  const decision = operator.getByRole('region', { name: 'Decision' });
  const refused = operator.url();
  await expect(decision).toContainText('Refused by bo-');
  await expect(decision).toContainText('Wait for the backup.');
  await expectNoViolations(operator);

  await lateApproval.continue();
  await expect(late.getByRole('alert').first()).toHaveText('It has been refused already.');
  await expect(late.getByRole('region', { name: 'Decision' })).toContainText('Refused by bo-');
  await late.close();

  await operator.goto(`${demo.root}/chains/${number}`);
  await expect(operator.getByText('Needs a human').first()).toBeVisible({ timeout: 90_000 });
  await operator.goto(`/${demo.organization}/approvals?status=refused`);
  const decided = operator.getByRole('table', { name: 'Decided' });
  await expect(decided.getByRole('row', { name: /Start of tier 2/ }).first()).toContainText('bo-');
  await expect(decided.getByText('Approved')).toHaveCount(0);

  // It holds for the incident until someone takes it back.
  await operator.goto(refused);
  await expect(decision).toContainText('until someone allows it again');
  await operator.getByRole('button', { name: 'Allow again' }).click();
  await expect(decision).toContainText('has allowed it again since');
  await expectNoViolations(operator);
});
