import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { callAction } from './server-action';

export const PASSWORD = 'correct horse battery';

export interface NewOrganization {
  /** Its path: "/acme-1f2e3d4c5b". */
  home: string;
  name: string;
  /** In its name and in the address of its owner, so that tests do not meet. */
  tag: string;
  /** Of Ana Ruiz, who owns it and is signed in. */
  email: string;
}

const SIGN_UP = { file: 'app/(auth)/actions.ts', name: 'signUp', path: '/sign-up' };

/** Signs Ana up, which leaves the page as it is. */
export async function foundOrganization(page: Page): Promise<NewOrganization> {
  const tag = randomBytes(5).toString('hex');
  const name = `Acme ${tag}`;
  const email = `ana-${tag}@example.com`;
  const person = { name: 'Ana Ruiz', email, password: PASSWORD };
  const { leadsTo } = await callAction(page, SIGN_UP, { ...person, organizationName: name });
  return { home: leadsTo ?? '', name, tag, email };
}
