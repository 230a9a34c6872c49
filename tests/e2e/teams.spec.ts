import { expect, type Page, test } from '@playwright/test';
import type { MailServer } from '../support/mail-server/mail-server';
import { foundOrganization, type NewOrganization, PASSWORD } from './support/new-organization';
import { startProductMail } from './support/product-mail';
import { signIn } from './support/sign-in';
import { expectNoViolations } from './support/violations';

let mail: MailServer;
test.beforeAll(async ({ baseURL }) => {
  mail = await startProductMail(baseURL);
});
test.afterAll(() => mail.close());

const PHONE = { width: 390, height: 844 };

async function invite(
  page: Page,
  { home }: NewOrganization,
  email: string,
  role: string,
): Promise<void> {
  await page.goto(`${home}/settings/members`);
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByRole('radio', { name: role }).check();
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
}

/** Answers the link in the invited person's mailbox. */
async function inviteByMail(
  page: Page,
  team: NewOrganization,
  email: string,
  role: string,
): Promise<string> {
  await invite(page, team, email, role);
  await expect(page.getByText(`The invitation is on its way to ${email}.`)).toBeVisible();
  const letter = mail.received.find(({ to }) => to.includes(email));
  return /http\S+\/invite\/inv_\w+/.exec(letter?.source ?? '')?.[0] ?? 'no link';
}

/** The mailbox refuses; answers the link, which the inviter is shown instead. */
async function inviteByLink(
  page: Page,
  team: NewOrganization,
  email: string,
  role: string,
): Promise<string> {
  mail.refused.add(email);
  await invite(page, team, email, role);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('The e-mail could not be sent.')).toBeVisible();
  const link = (await dialog.locator('pre').textContent())?.trim() ?? '';
  expect(link).toContain('/invite/inv_');
  await dialog.getByRole('button', { name: 'Done' }).click();
  return link;
}

async function joinAsNewPerson(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: /^Join / }).click();
  await expect(page).not.toHaveURL(/\/invite\//);
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [wide, shown] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(wide).toBeLessThanOrEqual(shown ?? 0);
}

test('[SAS-1.2] Ana invites Bo as operator; he joins by the link, is demoted, and is refused', async ({
  page,
  browser,
}) => {
  const team = await foundOrganization(page);
  const email = `bo-${team.tag}@example.com`;
  const link = await inviteByMail(page, team, email, 'Operator');
  await expect(page.getByRole('table', { name: 'Invitations' })).toContainText(email);
  await expectNoViolations(page);

  const bo = await (await browser.newContext()).newPage();
  await test.step('Bo signs up through the link, under the invited address', async () => {
    await bo.goto(link);
    await expect(bo.getByRole('heading', { level: 1 })).toHaveText(`Join ${team.name}`);
    await expect(bo.getByText('Ana Ruiz invites')).toContainText('as an operator');
    await expect(bo.getByLabel('E-mail')).toHaveValue(email);
    await expect(bo.getByLabel('E-mail')).not.toBeEditable();
    await expectNoViolations(bo);
    await bo.getByLabel('Password').fill('short');
    await bo.getByRole('button', { name: /^Join / }).click();
    await expect(bo.getByLabel('Your name')).toHaveAccessibleDescription('Enter your name.');
    await joinAsNewPerson(bo, link, 'Bo Lind');
    await expect(bo).toHaveURL(new RegExp(`${team.home}$`));
  });

  await test.step('he sees what an operator sees; what he may not do says who can', async () => {
    await expect(bo.getByRole('button', { name: 'New project' }).first()).toBeDisabled();
    await bo.getByRole('button', { name: `More for ${team.name}` }).click();
    await expect(bo.getByRole('menuitem', { name: /Pause everything/ })).toBeEnabled();
    await bo.keyboard.press('Escape');
    await bo.goto(`${team.home}/settings/members`);
    await expect(bo.getByRole('button', { name: 'Invite' })).toBeDisabled();
    await expect(bo.getByText('Needs the admin role. Ana Ruiz can change that.')).toBeVisible();
    await expect(bo.getByText('ana-')).toHaveCount(0);
  });

  const stale = await bo.context().newPage();
  await stale.goto(team.home);
  await stale.getByRole('button', { name: `More for ${team.name}` }).click();
  await stale.getByRole('menuitem', { name: /Pause everything/ }).click();

  await test.step('Ana makes him viewer', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'More for Bo Lind' }).click();
    await page.getByRole('menuitem', { name: /Change role/ }).click();
    await page.getByRole('radio', { name: 'Viewer' }).check();
    await page.getByRole('button', { name: 'Change role' }).click();
    await expect(page.getByRole('row', { name: /Bo Lind/ })).toContainText('Viewer');
  });

  await test.step('the dialog that he had open is refused, and the page follows', async () => {
    const dialog = stale.getByRole('alertdialog');
    await dialog.getByRole('button', { name: /^Pause / }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'This needs the operator role. Yours is viewer.',
    );
    await bo.goto(team.home);
    await bo.getByRole('button', { name: `More for ${team.name}` }).click();
    await expect(bo.getByRole('menuitem', { name: /Pause everything/ })).toContainText(
      'Needs the operator role. Ana Ruiz can change that.',
    );
  });

  await test.step('Ana removes him, and the organization is nothing to him', async () => {
    await page.getByRole('button', { name: 'More for Bo Lind' }).click();
    await page.getByRole('menuitem', { name: /Remove/ }).click();
    await page.getByRole('button', { name: 'Remove Bo Lind' }).click();
    await expect(page.getByText('1 person, 1 owner.')).toBeVisible();
    expect((await bo.goto(team.home))?.status()).toBe(404);
    await expect(bo.getByText('There is nothing here')).toBeVisible();
  });
  await bo.context().close();
});

test('[SAS-1.2] a link says why it does not work, and whom to ask', async ({ page, browser }) => {
  const team = await foundOrganization(page);
  const link = await inviteByLink(page, team, `bo-${team.tag}@example.com`, 'Viewer');

  await test.step('signed in with another address', async () => {
    await page.goto(link);
    await expect(page.getByText('this invitation is for another address')).toBeVisible();
    await expectNoViolations(page);
  });

  const bo = await (await browser.newContext({ viewport: PHONE })).newPage();
  await test.step('replaced by a newer one', async () => {
    await page.goto(`${team.home}/settings/members`);
    await page.getByRole('button', { name: /^New link for/ }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('The previous link no longer works.');
    const newest = (await dialog.locator('pre').textContent())?.trim() ?? '';
    expect(newest).not.toBe(link);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await bo.goto(link);
    await expect(bo.getByRole('heading', { level: 1 })).toHaveText('This link doesn’t work');
    await bo.goto(newest);
    await expect(bo.getByRole('button', { name: `Join ${team.name} as viewer` })).toBeVisible();
    await expectNoSidewaysScroll(bo);

    await page.getByRole('button', { name: /^Revoke the invitation/ }).click();
    await page.getByRole('button', { name: 'Revoke invitation' }).click();
    await expect(page.getByText('No open invitations.')).toBeVisible();
    await bo.reload();
    await expect(bo.getByText('Ask Ana Ruiz if you still need one.')).toBeVisible();
  });

  await test.step('used', async () => {
    const email = `cleo-${team.tag}@example.com`;
    const used = await inviteByLink(page, team, email, 'Viewer');
    await joinAsNewPerson(bo, used, 'Cleo');
    await bo.goto(used);
    await expect(bo.getByRole('link', { name: `Open ${team.name}` })).toBeVisible();
    await bo.context().clearCookies();
    await bo.goto(used);
    await expect(bo.getByRole('heading', { level: 1 })).toHaveText('This invitation was used');
    await expectNoViolations(bo);
  });
  await bo.context().close();
});

test('[SAS-1.2] the only owner is kept; the name and address change; typed deletion', async ({
  page,
}) => {
  const team = await foundOrganization(page);
  await page.setViewportSize(PHONE);
  await page.goto(`${team.home}/settings/members`);
  await page.getByRole('button', { name: 'More for yourself' }).click();
  const leave = page.getByRole('menuitem', { name: /Leave organization/ });
  await expect(leave).toBeDisabled();
  await expect(leave).toContainText('Make someone else owner first.');
  await page.keyboard.press('Escape');
  await expectNoSidewaysScroll(page);

  await page.goto(`${team.home}/settings/general`);
  // [ENG-2.7]
  await page.getByLabel('Versions').fill('2.1.197, latest');
  await page.getByRole('button', { name: 'Update versions' }).click();
  await expect(page.getByLabel('Versions')).toHaveAccessibleDescription(/Enter versions such as/);
  await page.getByLabel('Versions').fill('2.1.197, <2.1.100');
  await page.getByRole('button', { name: 'Update versions' }).click();
  await expect(page.getByText('Denied versions saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Versions')).toHaveValue('2.1.197, <2.1.100');

  await page.getByLabel('Short name').fill('sign-in');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByLabel('Short name')).toHaveAccessibleDescription(/Choose another/);
  await page.getByLabel('Short name').fill(`moved-${team.tag}`);
  await expect(page.getByText(/stop working, including links/)).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/moved-${team.tag}/settings/general$`));
  expect((await page.goto(team.home))?.status()).toBe(404);

  await page.goto(`/moved-${team.tag}/settings/general`);
  await expectNoSidewaysScroll(page);
  await expectNoViolations(page);
  await page.getByRole('button', { name: `Delete ${team.name}` }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('textbox').fill(`moved-${team.tag}`);
  await dialog.getByRole('button', { name: `Delete ${team.name}` }).click();
  await expect(page).toHaveURL(/\/orgs$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Name your organization');
});

test('[SAS-1.2] a second organization is made, and the switcher keeps the kind of page', async ({
  page,
}) => {
  const team = await foundOrganization(page);
  await page.goto('/orgs');
  await page.getByLabel('Name').fill(`Beta ${team.tag}`);
  await page.getByRole('button', { name: 'Create organization' }).click();
  await expect(page).toHaveURL(new RegExp(`/beta-${team.tag}$`));
  await page.goto(`/beta-${team.tag}/settings/members`);
  await page.getByRole('button', { name: /^Switch organization or project/ }).click();
  await page
    .getByRole('option', { name: new RegExp(team.name) })
    .last()
    .click();
  await expect(page).toHaveURL(new RegExp(`${team.home}/settings/members$`));
});

test('[SAS-1.1] the profile changes name and password, and signs out other browsers', async ({
  page,
  browser,
}) => {
  const team = await foundOrganization(page);
  const other = await (await browser.newContext()).newPage();
  await signIn(other, team.email, PASSWORD);

  await page.goto('/me');
  await expect(page.getByText('2 browsers are signed in as you.')).toBeVisible();
  await expectNoViolations(page);
  const everywhere = page.getByRole('button', { name: 'Sign out everywhere' });
  await everywhere.click();
  await expect(page.getByRole('alertdialog')).toContainText('This signs out all 2 browsers');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(everywhere).toBeFocused();

  await page.getByLabel('Name', { exact: true }).fill('Ana Maria Ruiz');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByText('Name saved.')).toBeVisible();

  await page.getByLabel('Current password').fill('not the password');
  await page.getByLabel('New password').fill('an entirely new password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByLabel('Current password')).toHaveAccessibleDescription(
    'This isn’t your current password.',
  );
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill('an entirely new password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('No other browser is signed in as you.')).toBeVisible();

  await other.goto(`${team.home}/settings/members`);
  await expect(other).toHaveURL(/\/sign-in/);
  await other.context().close();
});
