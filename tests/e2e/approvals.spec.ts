/** Starts of tiers that people decide about, on a phone and on a desk. */
import { expect, type Page, type Route, test } from '@playwright/test';
import { Demo } from './support/demo';
import { joinAs } from './support/sign-in';
import { expectNoViolations, expectNoViolationsInBothThemes } from './support/violations';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** The least that a thumb hits. */
const MIN_HEIGHT = 44;

let demo: Demo;
let owner: Page;
/** Somebody else than who starts the chains. */
let operator: Page;

test.beforeAll(async ({ browser }) => {
  owner = await browser.newPage();
  demo = await Demo.open(owner);
  await demo.configure({ maxTier: 2, tiers: [{ tier: 2, requiresApproval: true }] });
  const person = { email: `bo-${Date.now()}@example.com`, role: 'operator', name: 'Bo Lind' };
  operator = await (await joinAs(browser, demo.token, person)).newPage();
});

test.afterAll(async () => {
  await demo.configure({ maxTier: 3, tiers: [{ tier: 2, requiresApproval: false }] });
  // The refusal left it broken.
  await demo.repair();
  await operator.context().close();
  await owner.close();
});

function sidewaysOf(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

test('[BND-4.3] the start of a tier is approved on a phone by somebody else than who started the chain', async () => {
  await demo.break();
  await owner.goto(demo.root);
  await owner.getByRole('button', { name: 'Run now' }).click();
  await expect(owner).toHaveURL(/\/chains\/\d+$/);
  const number = Number(/\d+$/.exec(new URL(owner.url()).pathname)?.[0]);
  await test.step('whoever started the chain sees why they can’t decide', async () => {
    const link = owner.getByRole('link', { name: 'Start of tier 2' });
    await expect(link).toBeVisible({ timeout: 90_000 });
    await expectNoViolations(owner);
    await link.click();
    await expect(owner.getByRole('heading', { level: 1 })).toHaveText('Start of tier 2');
    const decision = owner.getByRole('region', { name: 'Decision' });
    await expect(decision).toContainText(
      'You started this chain, so another person has to decide.',
    );
    await expect(decision.getByRole('button')).toHaveCount(0);
    // A page that is left open is drawn again with everything that happens.
    await owner.goto('about:blank');
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
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(MIN_HEIGHT);
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
  await demo.break();
  const { id, number } = await demo.start();
  const isWaiting = async () => (await demo.get(`approvals?chain=${id}`)).data.length;
  await expect.poll(isWaiting, { timeout: 90_000 }).toBe(1);
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
