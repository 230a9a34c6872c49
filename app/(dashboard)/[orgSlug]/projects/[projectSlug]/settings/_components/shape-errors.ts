import { type ProjectConfig, projectConfigSchema } from '@/lib/projects/schema';

/** What the shape alone says, by path; the rest is found when it is saved. */
export function shapeErrors(config: ProjectConfig): Record<string, string> {
  const parsed = projectConfigSchema.safeParse(config);
  if (parsed.success) return {};
  const errors: Record<string, string> = {};
  for (const issue of parsed.error.issues) errors[issue.path.join('.')] ??= issue.message;
  return errors;
}
