import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The rules that a change of theme can break; a theme changes nothing else. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

export type Rules = 'all' | 'colors' | 'all but colors';

/**
 * Buttons and switches fade into the colours of a theme; halfway their contrast says nothing.
 * A busy page applies its new theme, and starts to fade, only in a later frame.
 */
async function transitionsEnded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // What is skipped, far down a long log, has no frames either, and never ends its transition.
    const isSeen = ({ effect }: Animation) =>
      effect instanceof KeyframeEffect &&
      effect.target?.checkVisibility({ contentVisibilityAuto: true }) === true;
    const runningTransitions = () =>
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition && isSeen(animation))
        .filter(({ playState }) => playState === 'running');
    let quietFrames = 0;
    while (quietFrames < 3) {
      await nextFrame();
      const transitions = runningTransitions();
      // One that is cancelled has left its element in the colours to come.
      await Promise.allSettled(transitions.map(({ finished }) => finished));
      quietFrames = transitions.length === 0 ? quietFrames + 1 : 0;
    }
  });
}

/** Of accessibility, as the page stands, in its own theme: the rule and the first that breaks it. */
export async function violationsOf(page: Page, rules: Rules = 'all'): Promise<string[]> {
  await transitionsEnded(page);
  // Half a megabyte of script, which a page that is scanned again has already.
  const isLoaded = await page.evaluate(() => 'axe' in window);
  // No page has frames, which alone need the slower mode.
  const axe = new AxeBuilder({ page, ...(isLoaded && { axeSource: ';' }) }).setLegacyMode();
  // Describing the thousands of elements that pass takes longer than the rules; what follows changes this object.
  axe.options({ resultTypes: ['violations'], selectors: false });
  if (rules === 'colors') axe.withRules(COLOUR_RULES);
  if (rules === 'all but colors') axe.disableRules(COLOUR_RULES);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

export async function expectNoViolations(page: Page, rules?: Rules): Promise<void> {
  expect(await violationsOf(page, rules), page.url()).toEqual([]);
}

export async function expectNoViolationsInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, 'colors');
}
