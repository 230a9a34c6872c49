import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

declare global {
  interface Window {
    /** Once it has been loaded into the page. */
    axe?: typeof axe;
  }
}

/** The rules that a change of theme can break; a theme changes nothing else. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Of the colors, those that no page of this run had before. */
export type Rules = 'all' | 'colors';

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

/** Half as much to compile as what the package exports as its source. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function load(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
}

/** The rule and the first that breaks it. Describing the thousands of elements that pass takes longer than the rules. */
const WHAT_FAILS = { resultTypes: ['violations'], selectors: false } satisfies axe.RunOptions;

/** Of everything but colors. */
function structureViolationsOf(page: Page): Promise<string[]> {
  const off = Object.fromEntries(COLOR_RULES.map((rule) => [rule, { enabled: false }]));
  return page.evaluate(
    async (options) => {
      const found = await window.axe?.run(document, options);
      return (found?.violations ?? []).map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    },
    { ...WHAT_FAILS, rules: off },
  );
}

/**
 * What passed in this run. Texts are alike in their color, size and weight, in the grounds that they stand on, and,
 * where something is placed over others, in its class.
 */
const passed = new Set<string>();

/** Of the colors of texts that are unlike all that passed before. */
async function colorViolationsOf(page: Page): Promise<string[]> {
  const { violations, measured } = await page.evaluate(
    async ({ before, options }) => {
      const known = new Set(before);
      const grounds = new Map<Element | null, string>([[null, '']]);
      const groundsOf = (element: Element): string => {
        const { parentElement } = element;
        const around = grounds.get(parentElement) ?? groundsOf(parentElement as Element);
        const style = getComputedStyle(element);
        const own = [
          style.backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : style.backgroundColor,
          style.backgroundImage === 'none' ? '' : style.backgroundImage,
          style.opacity === '1' ? '' : `opacity ${style.opacity}`,
          /^(static|relative)$/.test(style.position) ? '' : `.${element.getAttribute('class')}`,
        ];
        const all = own.join('') + around;
        grounds.set(element, all);
        return all;
      };
      const isText = (element: Element) =>
        element.matches('input, select, textarea') ||
        [...element.childNodes].some(
          ({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim(),
        );
      const isMeasurable = (element: Element) => {
        const { width, height } = element.getBoundingClientRect();
        const isSeen = element.checkVisibility({ visibilityProperty: true });
        return width > 1 && height > 1 && isSeen && !element.matches(':disabled, :disabled *');
      };
      const likenessOf = (element: Element): string => {
        const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(element);
        const text = [color, fontSize, fontWeight, groundsOf(element)];
        const around = element.closest('a')?.parentElement;
        if (around) text.push(textDecorationLine, getComputedStyle(around).color);
        return text.join();
      };
      const texts = [...document.body.querySelectorAll('*')]
        .filter((element) => isText(element) && isMeasurable(element))
        .map((element) => ({ element, likeness: likenessOf(element) }))
        .filter(({ likeness }) => !known.has(likeness));
      if (texts.length === 0) return { violations: [], measured: [] };
      const found = await window.axe?.run(
        texts.map(({ element }) => element),
        options,
      );
      return {
        violations: (found?.violations ?? []).map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
        measured: texts.map(({ likeness }) => likeness),
      };
    },
    { before: [...passed], options: { ...WHAT_FAILS, runOnly: COLOR_RULES } },
  );
  if (violations.length === 0) for (const likeness of measured) passed.add(likeness);
  return violations;
}

/** Of accessibility, as the page stands, in its own theme. */
export async function violationsOf(page: Page, rules: Rules = 'all'): Promise<string[]> {
  await transitionsEnded(page);
  await load(page);
  const structure = rules === 'all' ? await structureViolationsOf(page) : [];
  return [...structure, ...(await colorViolationsOf(page))];
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
