import type { ReactNode } from 'react';
import type { ShellData } from '@/app/_components/shell/shell-data';
import { signOut } from '@/app/(auth)/actions';
import type { SignedInUser } from '@/lib/identity/auth/schema';
import { listMine } from '@/lib/identity/organizations/service';
import type { Overview } from '@/lib/insight/dashboard/schema';
import { projectState, worstService } from '@/lib/insight/dashboard/state';
import type { TenantScope } from '@/lib/platform/db/scope';
import { encodeId } from '@/lib/platform/ids';
import { DashboardShell } from './_components/dashboard-shell';
import { loadOverview } from './_components/load-overview';
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

/** What the frame around every page of an organization shows. */
async function shellDataOf(
  user: SignedInUser,
  scope: TenantScope,
  overview: Overview,
): Promise<ShellData> {
  const memberships = await listMine(user.id);
  return {
    organization: {
      id: encodeId('org', scope.organizationId),
      slug: scope.organizationSlug,
      name: overview.organization.name,
      role: scope.role,
    },
    organizations: memberships.map(({ organizationId, slug, name, role }) => ({
      id: encodeId('org', organizationId),
      slug,
      name,
      role,
    })),
    projects: overview.projects.map((project) => ({
      id: encodeId('prj', project.id),
      slug: project.slug,
      name: project.name,
      state: projectState(project, overview.organization),
      worst: worstService(project.services),
    })),
    runners: overview.runners.map(({ id, name }) => ({ id: encodeId('rnr', id), name })),
    user: { name: user.name, email: user.email },
  };
}
