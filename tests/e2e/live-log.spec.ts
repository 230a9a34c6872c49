import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import type { RunnerEvent } from '@/lib/protocol/events';
import { type CuttableLine, openCuttableLine } from './support/cuttable-line';
import { foundOrganization } from './support/new-organization';
import { refreshDuring } from './support/refresh';
import { ScriptedRunner } from './support/scripted-runner';
import { makeToken } from './support/sign-in';

const EVENTS = 10_000;
const CUTS = 3;

interface RunningSession {
  /** Of its log. */
  path: string;
  runner: ScriptedRunner;
  /** How many events it has before the test sends any. */
  lastSeq: number;
}

/** A new organization, in which a session runs that does what the test says. */
async function runSession(page: Page, request: APIRequestContext): Promise<RunningSession> {
  const { home: organization } = await foundOrganization(page);
  const token = await makeToken(page, organization.slice(1));
  const api = async (path: string, data: object) => {
    const response = await request.post(`/api/v1/${path}`, {
      headers: { authorization: `Bearer ${token}` },
      data,
    });
    const text = await response.text();
    expect(response.status(), text).toBe(201);
    return JSON.parse(text);
  };
  const { token: enrolment } = await api('runners', { pool: 'scripted' });
  await api('projects', {
    name: 'Checkout',
    harness: 'demo',
    runnerPool: 'scripted',
    schedule: { kind: 'manual' },
    services: [{ name: 'web', checks: [{ type: 'http', target: 'http://127.0.0.1:9/' }] }],
  });
  const chain = await api('projects/checkout/chains', {});
  const headers = { authorization: `Bearer ${token}` };
  const found = await request.get(`/api/v1/sessions/${chain.sessions[0].id}`, { headers });
  const session = await found.json();
  const runner = await ScriptedRunner.claim(request, enrolment, session.attempts[0].id);
  const claimed = await request.get(`/api/v1/sessions/${session.id}`, { headers });
  const { lastSeq } = await claimed.json();
  return {
    path: `${organization}/projects/checkout/sessions/${session.number}`,
    runner,
    lastSeq,
  };
}

const line = (number: number): RunnerEvent => ({
  kind: 'text',
  messageId: `message-${number}`,
  text: `line ${number} of the test`,
  parentToolUseId: null,
});

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => line(from + index + 1));

const drawn = (page: Page) => page.locator('[data-event-count]');

/** Everything up to this event is in the log, which answers: the server draws it before its code has come. */
async function expectDrawn(page: Page, seq: number): Promise<void> {
  await expect
    .poll(() =>
      drawn(page).evaluate((log) => Object.keys(log).some((key) => key.startsWith('__react'))),
    )
    .toBe(true);
  await expect
    .poll(async () => Number(await drawn(page).getAttribute('data-event-count')), {
      timeout: 60_000,
    })
    .toBe(seq);
}

let wire: CuttableLine;
let runner: ScriptedRunner | undefined;

test.beforeEach(async ({ baseURL }) => {
  wire = await openCuttableLine(baseURL ?? '');
});

test.afterEach(async () => {
  await runner?.leave();
  await wire.close();
});

test('[SAS-4.2] a log whose line is cut three times during 10,000 events has no gap and no duplicate, over one stream', async ({
  page,
  request,
}) => {
  const session = await runSession(page, request);
  const { path, lastSeq } = session;
  runner = session.runner;
  await page.goto(`${wire.url}${path}`);
  await expect(page.getByRole('log')).toBeVisible();
  await expect.poll(() => wire.streamCount()).toBe(1);

  const share = EVENTS / (CUTS + 1);
  for (let part = 0; part <= CUTS; part += 1) {
    const sent = part * share;
    // Cut while events are on their way: some of this part arrive before, the others after.
    const sending = session.runner.send(lines(sent, sent + share / 2));
    if (part < CUTS) {
      await expect
        .poll(async () => Number(await drawn(page).getAttribute('data-event-count')), {
          timeout: 60_000,
        })
        .toBeGreaterThan(lastSeq + sent);
      wire.cut();
    }
    await sending;
    await session.runner.send(lines(sent + share / 2, sent + share));
    await expectDrawn(page, lastSeq + sent + share);
    await expect.poll(() => wire.streamCount()).toBe(1);
  }

  await test.step('every event once: each is a request of its own, numbered in order', async () => {
    await page
      .getByRole('button', { name: /Following|Jump to latest|Follow/ })
      .first()
      .focus();
    await page.keyboard.press('End');
    const last = page.getByRole('region', { name: `Request ${EVENTS}`, exact: true });
    await expect(last).toContainText(`line ${EVENTS} of the test`);
    const found = page.getByRole('search').getByRole('status');
    for (const number of [1, share, share + 1, EVENTS / 2 + 1, EVENTS - 1]) {
      await page.getByLabel('Search the log').fill(`line ${number} of the test`);
      await expect(found).toHaveText('1 found');
      await page.keyboard.press('Enter');
      await expect(found).toHaveText('1 of 1');
      await expect(
        page.getByRole('region', { name: `Request ${number}`, exact: true }),
      ).toContainText(`line ${number} of the test`);
    }
  });

  await test.step('nothing is missing', async () => {
    await page.getByLabel('Search the log').fill('');
    await page.getByRole('button', { name: /^Errors/ }).click();
    await expect(page.getByText('No event of this kind.')).toBeVisible();
  });

  expect(wire.mostStreams()).toBe(1);
});

test('[SAS-4.2] a live log follows, pauses without loss, and leads to an event by its link', async ({
  page,
  request,
}) => {
  const session = await runSession(page, request);
  const { path, lastSeq } = session;
  runner = session.runner;
  await page.goto(path);
  await session.runner.send(lines(0, 200));
  await expectDrawn(page, lastSeq + 200);

  await test.step('it follows', async () => {
    await expect(page.getByText('line 200 of the test')).toBeInViewport();
    await session.runner.send(lines(200, 210));
    await expect(page.getByText('line 210 of the test')).toBeInViewport();
  });

  await test.step('scrolling up stops that, and says what is new', async () => {
    await page.getByRole('log').hover();
    await page.mouse.wheel(0, -2_000);
    await expect(page.getByText('line 210 of the test')).not.toBeInViewport();
    await session.runner.send(lines(210, 218));
    await page.getByRole('button', { name: '8 new · Jump to latest' }).click();
    await expect(page.getByText('line 218 of the test')).toBeInViewport();
  });

  await test.step('paused, it counts what waits and loses nothing', async () => {
    await page.getByRole('button', { name: 'Pause the log' }).click();
    await session.runner.send(lines(218, 230));
    await page.getByRole('button', { name: 'Resume, 12 events waiting' }).click();
    await expect(page.getByText('line 230 of the test')).toBeVisible();
  });

  await test.step('a link opens the log at its event', async () => {
    await page.goto(`${path}?event=${lastSeq + 7}`);
    // While the server's answer streams in, what replaces a placeholder waits outside the log.
    const row = page.getByRole('log').getByText('line 7 of the test');
    await expect(row).toBeInViewport();
    await expect(page.locator(`[data-seq="${lastSeq + 7}"]`)).toBeFocused();
  });
});

/** A call with an output of 40 lines, of which the log folds those in the middle. */
const call: readonly RunnerEvent[] = [
  {
    kind: 'tool_call',
    messageId: 'message-call',
    toolUseId: 'tool-1',
    tool: 'Bash',
    input: { command: 'journalctl -u web' },
    parentToolUseId: null,
  },
  {
    kind: 'tool_result',
    toolUseId: 'tool-1',
    isError: false,
    denied: false,
    content: '',
    stdout: Array.from({ length: 40 }, (_, index) => `output ${index + 1}.`).join('\n'),
    stderr: 'one warning',
    exitCode: 0,
    cutBytes: 0,
  },
];

test('[SAS-4.2] a search finds words in folded output, unfolds it and paints them', async ({
  page,
  request,
}) => {
  const session = await runSession(page, request);
  const { path, lastSeq } = session;
  runner = session.runner;
  await session.runner.send([...lines(0, 60), ...call, ...lines(60, 120)]);
  await page.goto(path);
  await expectDrawn(page, lastSeq + 122);
  await expect(page.getByText('output 20.')).toHaveCount(0);
  await page.getByLabel('Search the log').fill('Output 20.');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('search').getByRole('status')).toHaveText('1 of 1');
  await expect(page.getByText('output 20.')).toBeInViewport();
  const painted = () =>
    page.evaluate(() =>
      [...(CSS.highlights.get('log-match-current') ?? [])].map((range) => String(range)),
    );
  await expect.poll(painted).toEqual(['output 20.']);
  await expect(page).toHaveURL(`${path}?event=${lastSeq + 61}&q=Output+20.`);

  await page.getByRole('button', { name: 'Show details of the call' }).click();
  const details = page.getByRole('complementary', { name: 'Selected call' });
  await expect(details).toContainText('40 lines of stdout, 1 line of stderr');
});

test('[SAS-4.2] a search while the page is refreshed keeps its place and its address', async ({
  page,
  request,
}) => {
  const session = await runSession(page, request);
  runner = session.runner;
  await session.runner.send(lines(0, 60));
  await page.goto(session.path);
  await expectDrawn(page, session.lastSeq + 60);
  await page.evaluate(() => document.body.setAttribute('data-loaded-once', ''));

  const searchFor = async (number: number) => {
    await page.getByLabel('Search the log').fill(`line ${number} of`);
    await page.keyboard.press('Enter');
    const address = `${session.path}?event=${session.lastSeq + number}&q=line+${number}+of`;
    await expect(page).toHaveURL(address);
  };
  for (const number of [10, 20, 30]) {
    await searchFor(number);
    await refreshDuring(page, () => searchFor(number + 1));
  }
  // Each starts once the one before is drawn.
  for (const number of [40, 50]) await refreshDuring(page, () => searchFor(number));
  await expect(page.locator('body')).toHaveAttribute('data-loaded-once', '');
  await expect(page.getByText('line 50 of the test')).toBeInViewport();
});

test('a running session says what it has cost so far, on every tab', async ({ page, request }) => {
  const session = await runSession(page, request);
  runner = session.runner;
  await page.goto(session.path);
  const header = page.getByRole('main').locator('header');
  await header.locator('[tabindex="0"]', { hasText: 'Cost unknown' }).focus();
  await expect(page.getByRole('tooltip')).toContainText('No request has reported its tokens yet.');
  await session.runner.send([
    {
      kind: 'request_usage',
      messageId: 'message-1',
      model: 'demo-haiku',
      inputTokens: 0,
      outputTokens: 100_000,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      final: true,
      parentToolUseId: null,
    },
  ]);
  const cost = header.getByText(/^\$\d+\.\d\d so far est\.$/);
  await expect(cost).toBeVisible();
  const shown = await cost.textContent();
  await page.getByRole('link', { name: 'Report', exact: true }).click();
  await expect(page).toHaveURL(`${session.path}/report`);
  await page.reload();
  await expect(cost).toHaveText(shown ?? '');
});
