/** Takes pictures of pages as the manual shows them: light, of one size, with few colors. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkout } from '../bootstrap/folders.mjs';
import { StartProblem } from '../bootstrap/problem.mjs';
import { findChromium } from '../test/browser.mjs';

/** Of each picture, in pixels. The manual draws them at this size. */
const SIZE = { width: 1_280, height: 800 };
/** Larger files make the manual slow and the repository heavy. */
const LARGEST_BYTES = 150_000;
const COLORS = 128;
/** How long a page may take to become live, in milliseconds. */
const LIVE_MS = 8_000;

const IMAGES = path.join(checkout, 'docs', 'images');

/** Opens a browser that is signed in to the demo. */
export async function openCamera({ url, account, dataDir }) {
  const { chromium } = await import('@playwright/test');
  const executablePath = findChromium();
  if (!executablePath) throw new StartProblem('There is no Chromium. Set CHROMIUM_PATH.');
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const context = await browser.newContext({
    viewport: SIZE,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  const page = await context.newPage();
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((address) => !address.pathname.startsWith('/sign-in'));
  return {
    page,
    /** Goes to a page and waits until nothing on it is loading. */
    async open(address) {
      await page.goto(`${url}${address}`);
      await settle(page);
      await hidePaths(page, dataDir);
    },
    take: () => take(page),
    close: () => browser.close(),
  };
}

/** Waits until the page is live, where it is, and nothing on it is loading. */
async function settle(page) {
  await page.locator('h1').first().waitFor();
  const live = page.getByText('Live', { exact: true });
  await live.waitFor({ timeout: LIVE_MS }).catch(() => {
    // Pages of what has ended follow nothing.
  });
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
  await page.evaluate(() => document.fonts.ready);
}

/** Shows neutral folders instead of those of the machine on which the pictures are taken. */
async function hidePaths(page, dataDir) {
  const folders = [
    [dataDir, '/var/lib/tierwatch'],
    [checkout, '/opt/tierwatch'],
  ];
  await page.evaluate((pairs) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      for (const [folder, shown] of pairs) {
        if (node.nodeValue?.includes(folder)) {
          node.nodeValue = node.nodeValue.replaceAll(folder, shown);
        }
      }
    }
  }, folders);
}

async function take(page) {
  await page.mouse.move(0, 0);
  const { default: sharp } = await import('sharp');
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  return sharp(picture).png({ palette: true, colours: COLORS, effort: 10 }).toBuffer();
}

/** Writes `docs/images/<name>.png`. */
export function savePicture(name, picture) {
  if (picture.length > LARGEST_BYTES) {
    throw new StartProblem(`${name}.png has ${picture.length} bytes, more than ${LARGEST_BYTES}.`);
  }
  writeFileSync(path.join(IMAGES, `${name}.png`), picture);
  process.stdout.write(`docs/images/${name}.png ${Math.round(picture.length / 1_000)} kB\n`);
}
