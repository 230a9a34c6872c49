'use server';

import { redirect } from 'next/navigation';
import { createOrganizationSchema } from '@/lib/identity/organizations/schema';
import { createOrganization as create } from '@/lib/identity/organizations/service';
import { action } from '../_actions/action';

export const createOrganization = action(
  createOrganizationSchema,
  async ({ user, input }) => {
    const { slug } = await create(user, input);
    redirect(`/${slug}`);
  },
  { auth: 'user' },
);
