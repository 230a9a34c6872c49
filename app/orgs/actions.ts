'use server';

import { redirect } from 'next/navigation';
import { action } from '@/lib/actions/action';
import { createOrganizationSchema } from '@/lib/organizations/schema';
import { createOrganization as create } from '@/lib/organizations/service';

export const createOrganization = action(
  createOrganizationSchema,
  async ({ user, input }) => {
    const { slug } = await create(user, input);
    redirect(`/${slug}`);
  },
  { auth: 'user' },
);
