import { ChevronRight } from 'lucide-react';
import type { Metadata } from 'next';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import { Wordmark } from '@/app/(auth)/_components/wordmark';
import { signOut } from '@/app/(auth)/actions';
import { requireUser } from '@/lib/identity/auth/current-user';
import { listMine } from '@/lib/identity/organizations/service';
import { OrganizationForm } from './organization-form';

export const metadata: Metadata = { title: 'Your organizations' };

const ROLE_WORDS = { owner: 'Owner', admin: 'Admin', operator: 'Operator', viewer: 'Viewer' };

export default async function OrganizationsPage() {
  const user = await requireUser();
  const organizations = await listMine(user.id);
  const isFirst = organizations.length === 0;
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-140 flex-col gap-8 px-4 pt-8 pb-12">
      <header className="flex items-center justify-between gap-4">
        <Wordmark />
        <form action={signOut} className="flex min-w-0 items-center gap-3">
          <span className="truncate text-meta text-text-3">{user.email}</span>
          <Button type="submit" size="sm">
            Sign out
          </Button>
        </form>
      </header>
      <main className="flex flex-col gap-6">
        <h1 className="text-page">{isFirst ? 'Name your organization' : 'Your organizations'}</h1>
        {isFirst ? null : (
          <ul className="overflow-hidden rounded-card border border-line bg-surface">
            {organizations.map((organization) => (
              <li
                key={organization.organizationId}
                className="border-line border-t first:border-t-0"
              >
                <Link
                  href={`/${organization.slug}`}
                  className="flex min-h-12 items-center gap-3 px-4 py-2 -outline-offset-2 hover:bg-hover"
                >
                  <span className="min-w-0 flex-1 truncate font-medium">{organization.name}</span>
                  <span className="text-meta text-text-3">{ROLE_WORDS[organization.role]}</span>
                  <ChevronRight aria-hidden className="size-4 shrink-0 text-text-3" />
                </Link>
              </li>
            ))}
          </ul>
        )}
        {isFirst ? (
          <OrganizationForm isFirst />
        ) : (
          <Card title="New organization">
            <OrganizationForm isFirst={false} />
          </Card>
        )}
      </main>
    </div>
  );
}
