import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  navGroups,
  navItems,
  organizationPath,
  PROJECT_PAGES,
  projectPath,
  scopeOf,
} from './navigation';

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

describe('[PAG-1.3] the left bar', () => {
  it.each([
    ['/acme', 'home'],
    ['/acme/chains', 'chains'],
    ['/acme/approvals/apr_1', 'approvals'],
    ['/acme/projects/checkout', 'dashboard'],
    ['/acme/projects/checkout/chains/12', 'chains'],
    ['/acme/projects/checkout/services/web', 'services'],
    ['/acme/projects/checkout/events', 'activity'],
    ['/acme/projects/checkout/settings/tiers', 'project-settings'],
    ['/acme/settings/members', 'organization-settings'],
    ['/acme/audit', 'audit'],
    ['/acme/analytics', 'analytics'],
    ['/acme/spend', 'spend'],
  ])('on %s marks %s', (pathname, key) => {
    const current = navItems(pathname).filter((item) => item.isCurrent);
    expect(current.map((item) => item.key)).toEqual([key]);
  });

  it('has analytics, spend and the audit log at organization level', () => {
    const labels = navGroups('/acme').organization.map((item) => item.label);
    expect(labels).toEqual(expect.arrayContaining(['Analytics', 'Spend', 'Audit log']));
    expect(navGroups('/acme').project).toEqual([]);
  });

  it.each([
    ['/acme/runners', [['Organization settings', '/acme/settings']]],
    [
      '/acme/projects/checkout',
      [
        ['Project settings', '/acme/projects/checkout/settings'],
        ['Organization settings', '/acme/settings'],
      ],
    ],
  ])('on %s names whose settings a link opens', (pathname, links) => {
    const found = navItems(pathname).filter((item) => /settings/i.test(item.label));
    expect(found.map((item) => [item.label, item.href])).toEqual(links);
  });

  it('names nothing twice inside a project, and leads to its own lists', () => {
    const { project, organization } = navGroups('/acme/projects/checkout');
    const keys = [...project, ...organization].map((item) => item.key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(project.every((item) => item.href.startsWith('/acme/projects/checkout'))).toBe(true);
    expect(organization.map((item) => item.href)).toEqual([
      '/acme',
      '/acme/approvals',
      '/acme/analytics',
      '/acme/runners',
      '/acme/webhooks',
      '/acme/audit',
      '/acme/settings',
    ]);
  });
});

describe('[PAG-1.3] every link of the bar leads to a page', () => {
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
    ['/acme/approvals/apr_1', '/beta/approvals'],
    ['/acme/projects/new', '/beta'],
    ['/acme/projects/checkout', '/beta'],
    ['/acme/projects/checkout/sessions/18/report', '/beta/sessions'],
    ['/acme/projects/checkout/events', '/beta/activity'],
  ])('%s leads to %s', (pathname, path) => {
    expect(organizationPath(pathname, 'beta')).toBe(path);
  });
});
