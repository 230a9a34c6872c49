import type { TenantScope } from '@/lib/platform/db/scope';
import { InvalidError } from '@/lib/platform/errors';
import type { FieldChange } from '../difference';
import { toDocument } from '../document/to-document';
import { problemText, type YamlProblem } from '../document/yaml/read';
import { writeYaml } from '../document/yaml/write';
import { saveProject } from '../service/save-project';
import { getProjectInForce } from '../versions/service';
import { planFile } from './plan';

/** The configuration in force as YAML, without passwords. */
export async function exportProject(scope: TenantScope, reference: string): Promise<string> {
  return writeYaml(toDocument(await getProjectInForce(scope, reference)));
}

export interface FileComparison {
  /** The version that it was compared with. */
  version: number;
  changes: FieldChange[];
  /** By line; no changes are told then. */
  problems: YamlProblem[];
}

/** What a file would change; nothing is written. */
export async function compareFile(
  scope: TenantScope,
  { project, text }: { project: string; text: string },
  now = new Date(),
): Promise<FileComparison> {
  const current = await getProjectInForce(scope, project);
  const plan = planFile(text, current, now);
  return {
    version: current.version,
    changes: plan.ok ? plan.changes : [],
    problems: plan.ok ? [] : plan.problems,
  };
}

/**
 * Saves what the file makes of the project as its next version.
 *
 * @throws InvalidError that names every problem, by line
 * @throws ConflictError when someone saved since it was compared
 */
export async function applyFile(
  scope: TenantScope,
  { project, text, baseVersion }: { project: string; text: string; baseVersion: number },
  now = new Date(),
): Promise<{ version: number; slug: string }> {
  const current = await getProjectInForce(scope, project);
  const plan = planFile(text, current, now);
  if (!plan.ok) {
    const text = plan.problems.map(problemText).join('\n');
    throw new InvalidError(text, { text });
  }
  const { version } = await saveProject(
    scope,
    { projectId: current.id, baseVersion, ...plan.next, note: 'Applied a file' },
    now,
  );
  return { version, slug: plan.next.slug };
}
