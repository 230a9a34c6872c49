import { readFile } from 'node:fs/promises';
import {
  type APIRequestContext,
  expect,
  type Locator,
  type Page,
  type Route,
  test,
} from '@playwright/test';
import type { RunnerEvent } from '@/lib/protocol/events';
import { foundOrganization } from './support/new-organization';
import { ScriptedRunner } from './support/scripted-runner';
import { createProject, makeToken } from './support/sign-in';
import { expectNoViolations, expectNoViolationsInBothThemes } from './support/violations';

/** Chains start only manually: a scheduled one would disturb the test. There is no runner. @returns its path */
async function setUpProject(page: Page): Promise<string> {
  const { home } = await foundOrganization(page);
  const token = await makeToken(page, home.slice(1));
  await createProject(page.request, token, {
    name: 'Checkout',
    harness: 'demo',
    schedule: { kind: 'manual' },
    services: [{ name: 'shop', checks: [{ type: 'http', target: 'https://shop.example/health' }] }],
  });
  return `${home}/projects/checkout`;
}

const isSaved = (page: Page, version: number) =>
  expect(page.getByText(`v${version} is the current version. You have no changes.`)).toBeVisible();

async function save(page: Page, version: number): Promise<void> {
  await page.getByRole('button', { name: `Save as v${version}` }).click();
  await isSaved(page, version);
}

test('[SAS-2.1] [SAS-2.2] [SAS-4.3] [BND-2.1] [BND-4.1] a project is exported and applied, its rules tried, its windows kept, and rolled back', async ({
  page,
}) => {
  const project = await setUpProject(page);
  const settings = `${project}/settings`;

  await test.step('the file comes back with a change, which is seen before it is saved', async () => {
    await page.goto(`${settings}/file`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download checkout.yaml' }).click(),
    ]);
    const yaml = await readFile(await download.path(), 'utf8');
    expect(yaml).toContain('stallSeconds: 180 # seconds without an event');
    const upload = (text: string) =>
      page.getByLabel('Choose a file').setInputFiles({
        name: 'checkout.yaml',
        mimeType: 'application/yaml',
        buffer: Buffer.from(text),
      });
    await upload(yaml);
    await expect(page.getByText('The file matches v1 already.')).toBeVisible();
    await upload(yaml.replace('dryRun:', 'dryrun:'));
    const problem = page.getByRole('alert').filter({ hasText: '1 problem in the file' });
    await expect(problem).toContainText('Unknown field dryrun. Did you mean dryRun?');
    await upload(yaml.replace('dryRun: false', 'dryRun: true'));
    const changes = page.getByRole('region', { name: 'Changes in the file' });
    await expect(changes).toContainText('Dry run');
    await expectNoViolations(page);
    await changes.getByRole('button', { name: 'Save as v2' }).click();
    await expect(page).toHaveURL(/\/settings\/versions$/);
    await expect(page.getByText('Applied a file')).toBeVisible();
  });

  await test.step('a command is tried under rules that are not saved yet', async () => {
    await page.goto(`${settings}/tiers?tier=2`);
    const command = page.getByLabel('Under the rules of tier 2');
    await command.fill('docker ps -a && reboot');
    await expect(page.getByText('`reboot` has none, and every part needs one')).toBeVisible();
    await command.fill('docker ps -a');
    await expect(page.getByText('Bash(docker ps:*) allows it.')).toBeVisible();
    // The service has this name, but no check names a container.
    await command.fill('docker restart shop');
    await expect(page.getByText('No rule allows it.')).toBeVisible();
    const refused = page.getByLabel(/^Always denied/);
    await refused.fill('Bash(docker restart:*)');
    await expect(page.getByText(/Gets through where Bash allows it: sh -c/)).toBeVisible();
    await refused.press('Enter');
    await expect(page.getByText('Bash(docker restart:*) denies it, even')).toBeVisible();
    await expect(page.getByText('It never applies: Bash(docker restart:*)').first()).toBeVisible();
    await page.getByLabel(/^Allowed rules/).fill('docker ps');
    await page.getByLabel(/^Allowed rules/).press('Enter');
    await expect(page.getByText('docker ps is not a rule.')).toBeVisible();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
  });

  await test.step('the catalog of programs begins a rule, and examples say what it allows', async () => {
    await page.getByLabel('Isolation').selectOption('confined');
    await page.getByRole('button', { name: 'Programs for allowed rules' }).click();
    const catalog = page.getByRole('dialog', { name: 'Programs' });
    await catalog.getByLabel('Program').selectOption('systemctl');
    await expect(catalog.getByText('reaches another host by ssh').first()).toBeVisible();
    await expectNoViolations(page);
    await catalog.getByRole('button', { name: 'Use systemctl is-active', exact: true }).click();
    const field = page.getByLabel(/^Allowed rules/);
    await expect(field).toHaveValue('Bash(systemctl is-active:*)');
    const examples = page.getByRole('list', { name: 'Examples' });
    await expect(examples).toContainText('systemctl is-active web is allowed.');
    await expect(examples).toContainText('which reaches another host by ssh');
    await field.press('Enter');
    await expect(
      page.getByRole('button', { name: 'Remove Bash(systemctl is-active:*)' }),
    ).toBeVisible();
  });

  await test.step('a rule that asks first and names no operand is warned about', async () => {
    const field = page.getByLabel(/^Ask first/);
    const warning = page.getByText('Every `docker compose` command that a rule allows waits');
    await field.fill('Bash(docker compose -p shop restart web)');
    await expect(page.getByText('only with exactly these arguments')).toBeVisible();
    await field.press('Enter');
    const remove = page.getByRole('button', { name: /^Remove Bash\(docker compose -p/ });
    await expect(remove).toBeVisible();
    await expect(warning).toBeHidden();
    await field.fill('Bash(docker compose)');
    await field.press('Enter');
    await expect(warning).toBeVisible();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
  });

  await test.step('a maintenance window is refused with its reason, then holds cycles back', async () => {
    await page.goto(`${settings}/schedule`);
    await page.getByRole('button', { name: 'Add a window' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Patching');
    await page.getByLabel('Start (cron)').fill('0 22 31 2 *');
    await expect(page.getByText(/isn't a schedule: no date ever matches it/)).toBeVisible();
    // Since the hour before this one, so it is open at whatever time of day this test runs.
    const hour = (new Date().getHours() + 23) % 24;
    await page.getByLabel('Start (cron)').fill(`0 ${hour} * * *`);
    await page.getByLabel('Each for').fill('24h');
    await expect(page.getByText(/so it would never close/)).toBeVisible();
    await page.getByLabel('Each for').fill('23h');
    const opens = `${String(hour).padStart(2, '0')}:00`;
    await expect(page.getByText(new RegExp(`At ${opens} .*for 23h`))).toBeVisible();
    await expectNoViolations(page);
    await save(page, 3);
    await page.goto(project);
    await expect(page.getByText(/^Maintenance until/).first()).toBeVisible();
    await page.getByRole('button', { name: /show all notices/ }).click();
    await expect(page.getByText(/Maintenance window “Patching” is open until/)).toBeVisible();
    await page.getByRole('button', { name: 'Run now', exact: true }).click();
    await expect(page.getByText(/The maintenance window “Patching” is open until/)).toBeVisible();
  });

  await test.step('a tier is paused with a reason and an end, and resumed', async () => {
    await page.goto(`${settings}/tiers?tier=3`);
    await page.getByRole('button', { name: 'Pause tier 3' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByLabel(/^For/).fill('4h');
    await dialog.getByLabel(/^Reason/).fill('new credentials');
    await dialog.getByRole('button', { name: 'Pause Tier 3' }).click();
    await expect(page.getByText(/Paused by .+ since .+ until .+: new credentials/)).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: 'Resume tier 3' }).click();
    await expect(page.getByRole('button', { name: 'Pause tier 3' })).toBeVisible();
  });

  await test.step('any two versions are compared, and the first one comes back', async () => {
    await page.goto(`${settings}/versions`);
    const main = page.getByRole('main');
    await main.getByLabel('From', { exact: true }).selectOption('1');
    await main.getByLabel('To', { exact: true }).selectOption('3');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const difference = page.getByRole('region', { name: 'From v1 to v3' });
    await expect(difference).toContainText('Dry run');
    await expect(difference).toContainText('Patching');
    await page.getByRole('button', { name: 'Restore v1' }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toContainText('The settings of v1 become v4.');
    // No rule differs between v1 and v3.
    await expect(dialog.getByRole('region')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Restore v1' }).click();
    await expect(page.getByText('Restored v1')).toBeVisible();
    await page.goto(`${settings}/file`);
    await expectNoViolations(page);
  });
});

function call(command: string, id: string): RunnerEvent {
  const input = { command };
  return {
    kind: 'tool_call',
    messageId: `message-${id}`,
    toolUseId: `call-${id}`,
    tool: 'Bash',
    input,
    parentToolUseId: null,
  };
}

/** A project with a default rule of an earlier version, whose first session calls these commands. */
async function setUpUsedProject(
  page: Page,
  request: APIRequestContext,
  commands: readonly string[],
): Promise<{ project: string; runner: ScriptedRunner }> {
  const { home } = await foundOrganization(page);
  const token = await makeToken(page, home.slice(1));
  const headers = { authorization: `Bearer ${token}` };
  const create = async (resource: string, data: object) => {
    const response = await request.post(`/api/v1/${resource}`, { headers, data });
    const text = await response.text();
    expect(response.status(), text).toBe(201);
    return JSON.parse(text);
  };
  const { token: enrolment } = await create('runners', { pool: 'scripted' });
  await create('projects', {
    name: 'Checkout',
    harness: 'demo',
    runnerPool: 'scripted',
    schedule: { kind: 'manual' },
    services: [{ name: 'web', checks: [{ type: 'http', target: 'http://127.0.0.1:9/' }] }],
    tiers: [{ tier: 1, allowedTools: ['Bash(dig:*)', 'Bash(nomad status)'] }],
  });
  const chain = await create('projects/checkout/chains', {});
  const found = await request.get(`/api/v1/sessions/${chain.sessions[0].id}`, { headers });
  const { attempts } = await found.json();
  const runner = await ScriptedRunner.claim(request, enrolment, attempts[0].id);
  await runner.send(commands.map((command, at) => call(command, String(at))));
  return { project: `${home}/projects/checkout`, runner };
}

/** Keeps previews of commands from the server until the answer is called with what happens to them. */
async function holdPreviews(page: Page) {
  const held: Route[] = [];
  await page.route('**/policy-preview', (route) => {
    held.push(route);
  });
  return async (outcome: 'continue' | 'abort') => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await Promise.all(held.map((route) => route[outcome]()));
    await page.unroute('**/policy-preview');
  };
}

const over30Days = (dialog: Locator) =>
  dialog.getByRole('region', { name: 'Over the last 30 days' });

test('[BND-5.2] rules that are adopted, restored or imported first show which commands they decide differently', async ({
  page,
  request,
}) => {
  const commands = ['dig -f hosts.txt', 'dig -f hosts.txt', 'nomad status'];
  const { project, runner } = await setUpUsedProject(page, request, commands);
  const settings = `${project}/settings`;
  const question = page.getByRole('alertdialog');

  await test.step('the current default rules: nothing moves when the preview arrives', async () => {
    await page.goto(`${settings}/tiers`);
    const release = await holdPreviews(page);
    await page.getByRole('button', { name: 'Use the current default rules' }).click();
    const effect = over30Days(question);
    await expect(effect.getByRole('status')).toContainText('Comparing with the commands');
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    const adopt = question.getByRole('button', { name: 'Use the current default rules' });
    await question.evaluate((element) =>
      Promise.all(element.getAnimations().map(({ finished }) => finished)),
    );
    const before = await adopt.boundingBox();
    await expectNoViolations(page);
    await release('continue');
    await expect(effect.getByRole('status')).toHaveText(
      'Of 2 different commands in tier 1, 1 is decided differently.',
    );
    expect(await adopt.boundingBox()).toEqual(before);
    await expect(effect.getByRole('heading', { name: /^Newly refused/ })).toContainText(
      '1 command, 2 calls',
    );
    await expect(effect.getByRole('listitem')).toContainText('dig -f hosts.txt');
    await expect(effect.getByRole('link', { name: /^Session #1/ })).toHaveAttribute(
      'href',
      new RegExp(`^${project}/sessions/1\\?event=\\d+$`),
    );
    await expectNoViolationsInBothThemes(page);
    await adopt.click();
    await expect(page.getByText('Saved as v2. New chains use it.')).toBeVisible();
    await expect(question).toHaveCount(0);
    await expect(page.getByText('This project uses default rules of')).toHaveCount(0);
  });

  await test.step('a restored version: it doesn’t wait for the preview, nor need it', async () => {
    await page.goto(`${settings}/versions`);
    const fail = await holdPreviews(page);
    await page.getByRole('button', { name: 'Restore v1' }).click();
    const effect = over30Days(question);
    await fail('abort');
    await expect(effect.getByRole('alert')).toContainText(
      'Couldn’t compare with the commands that agents ran. The server didn’t answer. You can continue without it.',
    );
    await expectNoViolations(page);
    await effect.getByRole('button', { name: 'Try again' }).click();
    await expect(effect.getByRole('heading', { name: /^Newly allowed/ })).toContainText(
      '1 command, 2 calls',
    );
    await question.getByRole('button', { name: 'Cancel' }).click();
    const release = await holdPreviews(page);
    await page.getByRole('button', { name: 'Restore v1' }).click();
    await expect(effect.getByRole('status')).toContainText('Comparing with the commands');
    await question.getByRole('button', { name: 'Restore v1' }).click();
    await expect(page.getByText('Restored v1')).toBeVisible();
    await release('abort');
  });

  await test.step('a file', async () => {
    await page.goto(`${settings}/file`);
    const file = 'name: Checkout\ntiers: [{tier: 1, allowedTools: ["Bash(dig:*)"]}]\n';
    await page.getByLabel('YAML').fill(file);
    await page.getByRole('button', { name: 'Preview changes' }).click();
    const changes = page.getByRole('region', { name: 'Changes in the file' });
    await changes.getByRole('button', { name: 'Save as v4' }).click();
    const review = page.getByRole('dialog', { name: 'What v4 changes' });
    const effect = over30Days(review);
    await expect(effect.getByRole('heading', { name: /^Newly refused/ })).toContainText(
      '1 command, 1 call',
    );
    await expect(effect.getByRole('listitem')).toContainText('nomad status');
    await expectNoViolations(page);
    await review.getByRole('button', { name: 'Save as v4' }).click();
    await expect(page).toHaveURL(/\/settings\/versions$/);
    await expect(page.getByText('Applied a file')).toBeVisible();
  });

  await runner.leave();
});

/** Opens a page that comes alive only when it is told to. */
async function openStill(page: Page, address: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/_next\/static\/.*\.js/, async (route) => {
    await held;
    await route.fallback();
  });
  await page.goto(address, { waitUntil: 'commit' });
  return release;
}

test('[SAS-2.1] what is typed and chosen before the page is alive is kept', async ({ page }) => {
  const project = await setUpProject(page);

  await test.step('a text', async () => {
    const comeAlive = await openStill(page, `${project}/settings/budgets`);
    await page.getByLabel('Per day').fill('23');
    comeAlive();
    await expect(page.getByText('1 change not saved')).toBeVisible();
    await expect(page.getByLabel('Per day')).toHaveValue('23');
    await save(page, 2);
    await page.reload();
    await expect(page.getByLabel('Per day')).toHaveValue('23');
  });

  await test.step('one of a list', async () => {
    const comeAlive = await openStill(page, `${project}/settings`);
    const agent = page.getByLabel('Agent', { exact: true });
    const other = (await agent.inputValue()) === 'demo' ? 'claude' : 'demo';
    await agent.selectOption(other);
    comeAlive();
    await expect(page.getByText('1 change not saved')).toBeVisible();
    await expect(agent).toHaveValue(other);
    await save(page, 3);
  });

  await test.step('one of a few', async () => {
    const comeAlive = await openStill(page, `${project}/settings/schedule`);
    await page.getByText('Interval', { exact: true }).click();
    comeAlive();
    await expect(page.getByText(/changes? not saved/)).toBeVisible();
    await expect(page.getByLabel('Interval', { exact: true })).toBeChecked();
  });

  await test.step('a filter of a list, which goes into the address', async () => {
    const comeAlive = await openStill(page, `${project}/sessions`);
    await page.getByLabel('Status', { exact: true }).selectOption('stopped');
    comeAlive();
    await expect(page).toHaveURL(/status=stopped/);
    await expect(page.getByLabel('Status', { exact: true })).toHaveValue('stopped');
  });
});
