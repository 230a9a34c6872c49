'use server';

import { redirect } from 'next/navigation';
import { action } from '@/app/_actions/action';
import {
  changeOrganizationSchema,
  deleteOrganizationSchema,
  requireSecondFactorSchema,
} from '@/lib/identity/organizations/schema';
import { setSecondFactorRequired } from '@/lib/identity/organizations/second-factor-requirement';
import {
  changeOrganization as change,
  deleteOrganization as deleteWhole,
} from '@/lib/identity/organizations/service';

/** Leads to the organization's new address when it has got one. */
export const changeOrganization = action(changeOrganizationSchema, async ({ scope, input }) => {
  const { slug } = await change(scope, input);
  if (slug !== scope.organizationSlug) redirect(`/${slug}/settings/general`);
});

export const requireSecondFactor = action(requireSecondFactorSchema, async ({ scope, input }) => {
  await setSecondFactorRequired(scope, input.isRequired);
});

export const deleteOrganization = action(deleteOrganizationSchema, async ({ scope, input }) => {
  await deleteWhole(scope, input);
  redirect('/orgs');
});
