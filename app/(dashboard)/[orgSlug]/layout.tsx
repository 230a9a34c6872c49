import type { ReactNode } from 'react';
import type { ShellData } from '@/app/_components/shell/shell-data';
import { signOut } from '@/app/(auth)/actions';
import type { SignedInUser } from '@/lib/identity/auth/schema';
import { listMine } from '@/lib/identity/organizations/service';
import { countPending } from '@/lib/insight/approvals/list-approvals';
import type { Clock } from '@/lib/insight/dashboard/clauses';
import { summarizeOrganization, summarizeProject } from '@/lib/insight/dashboard/health-summary';
import type { Overview } from '@/lib/insight/dashboard/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { encodeId } from '@/lib/platform/ids';
import { DashboardShell } from './_components/dashboard-shell';
import { loadOverview, readerClock } from './_components/page-context';
import { shellNotices } from './_components/shell-notices';

interface DashboardLayoutProps {
  params: Promise<{ orgSlug: string }>;
  children: ReactNode;
}

export default async function DashboardLayout({ params, children }: DashboardLayoutProps) {
  const { user, scope, overview } = await loadOverview((await params).orgSlug);
  return (
    <DashboardShell
      data={await shellDataOf(user, scope, overview, await readerClock())}
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
  clock: Clock,
): Promise<ShellData> {
  const [memberships, pendingApprovals] = await Promise.all([
    listMine(user.id),
    countPending(scope),
  ]);
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
    projects: overview.projects.map((project) => {
      const { mark, short } = summarizeProject(project, overview, clock);
      return {
        id: encodeId('prj', project.id),
        slug: project.slug,
        name: project.name,
        mark,
        sentence: short,
      };
    }),
    tone: summarizeOrganization(overview, clock).tone,
    pendingApprovals,
    runners: overview.runners.map(({ id, name }) => ({ id: encodeId('rnr', id), name })),
    user: { name: user.name, email: user.email },
  };
}
