import { redirect } from 'next/navigation';
import { requireUser } from '@/lib/identity/auth/current-user';
import { listMine } from '@/lib/identity/organizations/service';

/** Leads to where the person works: their only organization, or the list of them. */
export default async function StartPage(): Promise<never> {
  const user = await requireUser();
  const [only, ...others] = await listMine(user.id);
  redirect(only && others.length === 0 ? `/${only.slug}` : '/orgs');
}
