/** Each page once, in both themes and at both widths: the theme and the width change in place. */
import type { Page } from '@playwright/test';
import { startWebhookReceiver } from '../../support/webhook-receiver/receiver';
import { startProductMail } from '../support/product-mail';
import { expect, test } from '../support/story';
import { type Rules, violationsOf } from '../support/violations';
import { appRoutes } from './app-routes';
import { makePlaces } from './places';
import { collectProblems } from './problems';
import { MEMBER_VISITS, type Places, PUBLIC_VISITS } from './visits';

/** Some routes stand for dozens of pages, each of which may take its time on a busy machine. */
const PAGE_MS = 30_000;

let places: Places;
/** One for all routes: each begins with an address of its own. */
let page: Page;
let problems: string[];

test.beforeAll(async ({ story, baseURL }) => {
  const mail = await startProductMail(baseURL);
  const receiver = await startWebhookReceiver();
  page = await story.context.newPage();
  problems = collectProblems(page);
  try {
    places = await makePlaces(page, story, { mail, receiverUrl: receiver.url });
  } finally {
    await mail.close();
    await receiver.close();
  }
});

test.afterAll(() => page.close());

/** By how many pixels it scrolls. */
function sidewaysOf(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

interface Look {
  width: number;
  colorScheme: 'light' | 'dark';
  /** Which rules are tried. */
  rules: Rules;
}

/**
 * What is scanned: every rule at both widths, once in each theme. What only a wide page shows is scanned for
 * its colors in dark, too; what only a narrow one shows is of the same tokens, whose contrast a unit test proves.
 */
const LOOKS: readonly Look[] = [
  { width: 1440, colorScheme: 'light', rules: 'all' },
  { width: 1440, colorScheme: 'dark', rules: 'colors' },
  { width: 390, colorScheme: 'dark', rules: 'all' },
];

/** Of a page whose elements were all seen before, in the same places of pages that were scanned in every look. */
const LOOKS_OF_KNOWN: readonly Look[] = [
  { width: 1440, colorScheme: 'light', rules: 'colors' },
  { width: 390, colorScheme: 'light', rules: 'all' },
];

async function open(page: Page, address: string): Promise<void> {
  const response = await page.goto(address);
  expect.soft(response?.status(), address).toBe(200);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page).toHaveTitle(/Tierwatch/);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

async function expectSound(page: Page, address: string, looks = LOOKS): Promise<void> {
  // Begins with the width that it has: drawing a page at another one is work.
  const isAsItIs = ({ width }: Look) => width === page.viewportSize()?.width;
  const inOrder = looks.toSorted((a, b) => Number(isAsItIs(b)) - Number(isAsItIs(a)));
  for (const { width, colorScheme, rules } of inOrder) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    // A plot takes its new width after the page has.
    await expect
      .soft(async () => expect(await sidewaysOf(page)).toBe(0), `${address} at ${width} px`)
      .toPass({ timeout: 60_000 });
    const found = await violationsOf(page, rules);
    expect.soft(found, `${address}, ${colorScheme} at ${width} px`).toEqual([]);
  }
}

/** The elements of a page by their tag and classes, with those of the one around, which decide their colors. */
function kindsIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const look = (element: Element | null) =>
      `${element?.localName} ${element?.getAttribute('class') ?? ''}`;
    const kinds = [...document.body.querySelectorAll('*')].map(
      (element) => `${look(element.parentElement)} > ${look(element)}`,
    );
    return [...new Set(kinds)];
  });
}

test('every page of the product is among those that are visited', () => {
  expect(Object.keys({ ...PUBLIC_VISITS, ...MEMBER_VISITS }).sort()).toEqual(appRoutes());
});

for (const [route, visit] of Object.entries(MEMBER_VISITS)) {
  test(`[PAG-1.3] ${route} has no accessibility violation, does not scroll sideways and reports no error`, async () => {
    for (const address of [visit(places)].flat()) {
      // Nobody looks at the page before in this width, and drawing it again is work.
      await page.goto('about:blank');
      // On a phone, what is opened beside a list takes its place, with its heading.
      await page.setViewportSize({ width: 1440, height: 900 });
      await open(page, address);
      await expectSound(page, address);
    }
    expect(problems.splice(0)).toEqual([]);
  });
}

for (const [route, visit] of Object.entries(PUBLIC_VISITS)) {
  test(`[PAG-1.3] ${route} is as sound for somebody who is not signed in`, async ({ browser }) => {
    const addresses = [visit(places)].flat();
    test.setTimeout(test.info().timeout + addresses.length * PAGE_MS);
    const nobody = await browser.newContext();
    const theirs = await nobody.newPage();
    const theirProblems = collectProblems(theirs);
    const known = new Set<string>();
    for (const address of addresses) {
      await open(theirs, address);
      const kinds = await kindsIn(theirs);
      const isKnown = kinds.every((kind) => known.has(kind));
      await expectSound(theirs, address, isKnown ? LOOKS_OF_KNOWN : LOOKS);
      for (const kind of kinds) known.add(kind);
    }
    expect(theirProblems).toEqual([]);
    await nobody.close();
  });
}
