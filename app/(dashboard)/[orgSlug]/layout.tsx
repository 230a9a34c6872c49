import type { ReactNode } from 'react';
import { signOut } from '@/app/(auth)/actions';
import { DashboardShell } from './_components/dashboard-shell';
import { loadOverview } from './_components/load-overview';
import { shellDataOf } from './_components/shell-data';
import { shellNotices } from './_components/shell-notices';

interface DashboardLayoutProps {
  params: Promise<{ orgSlug: string }>;
  children: ReactNode;
}

export default async function DashboardLayout({ params, children }: DashboardLayoutProps) {
  const { user, scope, overview } = await loadOverview((await params).orgSlug);
  return (
    <DashboardShell
      data={await shellDataOf(user, scope, overview)}
      notices={shellNotices(overview)}
      signOut={signOut}
    >
      {children}
    </DashboardShell>
  );
}
