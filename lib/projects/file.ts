import type { TenantScope } from '@/lib/platform/db/scope';
import { InvalidError } from '@/lib/platform/errors';
import { changedFields, type FieldChange } from './difference';
import { ignoredFields, mergeConfig, noteOf } from './document/merge';
import { hiddenTargets, type NamedConfig, toDocument, withPasswords } from './document/schema';
import { problemText, readYaml, writeYaml, type YamlProblem } from './document/yaml';
import { type SavedVersion, saveProject } from './manage-project';
import type { TierModelsOf } from './tier-models';
import { checkConfig } from './validate';
import { getCurrentProject } from './versions';

/** Returns the active configuration as YAML, without passwords. */
export async function exportProject(scope: TenantScope, reference: string): Promise<string> {
  return writeYaml(toDocument(await getCurrentProject(scope, reference)));
}

export interface FileComparison {
  /** The version that it was compared with. */
  version: number;
  changes: FieldChange[];
  /** A sentence about fields of earlier versions, which change nothing; empty without any. */
  ignored: string;
  /** Errors by line number; `changes` is empty when there are any. */
  problems: YamlProblem[];
}

/** Returns what a file would change, without writing anything. */
export async function compareFile(
  scope: TenantScope,
  { project, text }: { project: string; text: string },
  tierModelsOf: TierModelsOf,
  now = new Date(),
): Promise<FileComparison> {
  const current = await getCurrentProject(scope, project);
  const plan = planFile(text, current, tierModelsOf, now);
  return {
    version: current.version,
    changes: plan.ok ? plan.changes : [],
    ignored: plan.ok ? plan.ignored : '',
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
  tierModelsOf: TierModelsOf,
  now = new Date(),
): Promise<SavedVersion & { slug: string }> {
  const current = await getCurrentProject(scope, project);
  const { next, ignored } = requirePlan(planFile(text, current, tierModelsOf, now));
  const saved = await saveProject(
    scope,
    { projectId: current.id, baseVersion, ...next, note: noteOf('Applied a file', ignored) },
    now,
  );
  return { ...saved, slug: next.slug };
}

/**
 * Returns what a file makes of a project. Fields that it omits keep their values.
 *
 * @throws InvalidError that names every problem, by line
 */
export function withFile(
  text: string,
  current: NamedConfig,
  tierModelsOf: TierModelsOf,
  now: Date,
): NamedConfig {
  return requirePlan(planFile(text, current, tierModelsOf, now)).next;
}

/** @throws InvalidError that names every problem, by line */
function requirePlan(plan: FilePlan): FilePlan & { ok: true } {
  if (plan.ok) return plan;
  const problems = plan.problems.map(problemText).join('\n');
  throw new InvalidError(problems, { text: problems });
}

type FilePlan =
  | { ok: true; next: NamedConfig; changes: FieldChange[]; ignored: string }
  | { ok: false; problems: YamlProblem[] };

const HIDDEN =
  'The password was removed on export. Delete its placeholder too; checks never send a password.';

/** Everything that is wrong with the file, by line; or what it changes. */
function planFile(
  text: string,
  current: NamedConfig,
  tierModelsOf: TierModelsOf,
  now: Date,
): FilePlan {
  const read = readYaml(text);
  if (!read.ok) return read;
  const document = withPasswords(read.document, current.config);
  const at = (path: string, message: string) => ({ line: read.lineOf(path), path, message });
  const hidden = hiddenTargets(document).map((path) => at(path, HIDDEN));
  if (hidden.length > 0) return { ok: false, problems: hidden };
  try {
    const config = mergeConfig(current.config, document, tierModelsOf);
    checkConfig(config, now, current.config);
    const next = { name: document.name, slug: document.slug ?? current.slug, config };
    const ignored = ignoredFields(document);
    return { ok: true, next, changes: changedFields(flat(current), flat(next)), ignored };
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    const problems = Object.entries(error.fields).map(([path, message]) => at(path, message));
    return { ok: false, problems };
  }
}

function flat({ name, slug, config }: NamedConfig) {
  return { name, slug, ...config };
}
