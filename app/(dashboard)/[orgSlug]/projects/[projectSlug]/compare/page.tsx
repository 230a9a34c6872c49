import type { Metadata } from 'next';
import { type Params, textParam } from '@/app/_components/lists/list-params';
import { PageBody } from '@/app/_components/shell/page-body';
import { PageHeader } from '@/app/_components/shell/page-header';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { getComparison } from '@/lib/insight/sessions/get-comparison';
import type { TenantScope } from '@/lib/platform/db/scope';
import { NotFoundError } from '@/lib/platform/errors';
import { visibleText } from '@/lib/platform/format/visible-text';
import { loadProject } from '../_components/load-project';
import { DifferenceList } from '../settings/_components/difference-list';
import { CommandTable } from './_components/command-table';
import { CompareForm } from './_components/compare-form';
import { FactTable } from './_components/fact-table';

interface ComparePageProps {
  params: Promise<{ orgSlug: string; projectSlug: string }>;
  searchParams: Promise<Params>;
}

export async function generateMetadata({ params }: ComparePageProps): Promise<Metadata> {
  const { orgSlug, projectSlug } = await params;
  const { project } = await loadProject(orgSlug, projectSlug);
  return { title: visibleText(`Compare sessions · ${project.name}`) };
}

/** Two sessions side by side: outcome, calls, cost, configuration. */
export default async function ComparePage({ params, searchParams }: ComparePageProps) {
  const { orgSlug, projectSlug } = await params;
  const { scope } = await loadProject(orgSlug, projectSlug);
  const query = await searchParams;
  const [a, b] = [numberParam(query, 'a'), numberParam(query, 'b')];
  const root = `/${orgSlug}/projects/${projectSlug}`;
  const found = a && b ? await findComparison(scope, projectSlug, [a, b]) : null;
  return (
    <PageBody width="wide">
      <PageHeader
        title="Compare sessions"
        sentence={
          found
            ? `Session #${a} and Session #${b}: ${found.changes.length === 0 ? 'the same configuration' : `${found.changes.length} ${found.changes.length === 1 ? 'change' : 'changes'} of configuration`}.`
            : 'Outcome, commands, cost and configuration of two sessions, side by side.'
        }
      />
      <CompareForm key={`${a} ${b}`} first={a} second={b} />
      {found ? (
        <>
          <FactTable root={root} comparison={found} />
          <CommandTable comparison={found} />
          <Card
            title="Configuration"
            note={
              found.first.version === found.second.version
                ? `both v${found.first.version}`
                : `v${found.first.version} → v${found.second.version}`
            }
          >
            {found.changes.length > 0 ? (
              <DifferenceList changes={found.changes} />
            ) : (
              <p className="text-text-2 text-ui">The configurations don’t differ.</p>
            )}
          </Card>
        </>
      ) : (
        <Card isFlush>
          {a && b ? (
            <EmptyState title="One of these sessions isn’t there.">
              Enter numbers of this project’s sessions. Questions in Ask can’t be compared.
            </EmptyState>
          ) : (
            <EmptyState title="No sessions chosen.">
              Enter the numbers of two sessions, such as one that worked and one that didn’t.
            </EmptyState>
          )}
        </Card>
      )}
    </PageBody>
  );
}

function numberParam(params: Params, name: string): number | null {
  const digits = /^#?([1-9]\d{0,8})$/.exec(textParam(params, name) ?? '')?.[1];
  return digits ? Number(digits) : null;
}

async function findComparison(
  scope: TenantScope,
  project: string,
  numbers: readonly [number, number],
) {
  try {
    return await getComparison(scope, project, numbers);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
