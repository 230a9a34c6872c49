import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { navItems, organizationPath, PROJECT_PAGES, projectPath, scopeOf } from './navigation';

describe('scope', () => {
  it.each([
    ['/acme', 'acme', null],
    ['/acme/projects/new', 'acme', null],
    ['/acme/projects/checkout', 'acme', 'checkout'],
    ['/acme/projects/checkout/chains/12', 'acme', 'checkout'],
  ])('%s', (pathname, orgSlug, projectSlug) => {
    expect(scopeOf(pathname)).toEqual({ orgSlug, projectSlug });
  });
});

describe('left bar', () => {
  it.each([
    ['/acme', 'home'],
    ['/acme/chains', 'chains'],
    ['/acme/projects/checkout', 'home'],
    ['/acme/projects/checkout/chains/12', 'chains'],
    ['/acme/projects/checkout/events', 'activity'],
    ['/acme/settings/members', 'settings'],
    ['/acme/audit', 'settings'],
  ])('on %s marks %s', (pathname, key) => {
    const current = navItems(pathname).filter((item) => item.isCurrent);
    expect(current.map((item) => item.key)).toEqual([key]);
  });

  it('stays in the project for its own lists and leaves it for the organization’s', () => {
    const hrefs = navItems('/acme/projects/checkout').map((item) => item.href);
    expect(hrefs).toContain('/acme/projects/checkout/sessions');
    expect(hrefs).toContain('/acme/runners');
    expect(hrefs).toContain('/acme/projects/checkout/ask');
  });
});

describe('every link of the bar leads to a page', () => {
  const dashboard = path.resolve('app/(dashboard)/[orgSlug]');
  const hrefs = [
    ...navItems('/acme').map((item) => item.href),
    ...navItems('/acme/projects/checkout').map((item) => item.href),
    ...PROJECT_PAGES.map((page) => projectPath(`/acme/${page}`, 'acme', 'checkout')),
  ];

  it.each([...new Set(hrefs)])('%s', (href) => {
    const folder = href
      .replace(/^\/acme/, '')
      .replace(/^\/projects\/checkout/, '/projects/[projectSlug]');
    expect(existsSync(path.join(dashboard, folder, 'page.tsx'))).toBe(true);
  });
});

describe('switching the project', () => {
  it.each([
    ['/acme/projects/checkout/chains', '/acme/projects/billing/chains'],
    ['/acme/projects/checkout/chains/12', '/acme/projects/billing/chains'],
    ['/acme/chains', '/acme/projects/billing/chains'],
    ['/acme/runners', '/acme/projects/billing'],
    ['/acme', '/acme/projects/billing'],
  ])('from %s leads to %s', (from, to) => {
    expect(projectPath(from, 'acme', 'billing')).toBe(to);
  });
});

describe('organizationPath', () => {
  it.each([
    ['/acme', '/beta'],
    ['/acme/chains', '/beta/chains'],
    ['/acme/settings/members', '/beta/settings/members'],
    ['/acme/settings/unheard-of', '/beta/settings'],
    ['/acme/runners/rnr_1', '/beta/runners'],
    ['/acme/projects/new', '/beta'],
    ['/acme/projects/checkout', '/beta'],
    ['/acme/projects/checkout/sessions/18/report', '/beta/sessions'],
    ['/acme/projects/checkout/events', '/beta/activity'],
  ])('%s leads to %s', (pathname, path) => {
    expect(organizationPath(pathname, 'beta')).toBe(path);
  });
});
