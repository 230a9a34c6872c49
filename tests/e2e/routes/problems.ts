import type { Page } from '@playwright/test';

/** Collects what goes wrong in a page from now on: errors of its scripts, of the console and of what it loads. */
export function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  const add = (problem: string) => problems.push(`${page.url()}: ${problem}`);
  page.on('pageerror', (error) => add(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') add(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) add(`${response.status()} ${response.url()}`);
  });
  return problems;
}
