/** A project as one document, as REST API and `project apply` take it. Unknown fields are refused. */

import { z } from 'zod';
import { slugSchema } from '@/lib/identity/organizations/slug';
import { shownTarget } from '@/lib/protocol/checks/target';
import { tierSchema } from '@/lib/protocol/spec';
import { type ProjectConfig, projectConfigSchema, tierPolicySchema } from '../schema';
import { PROJECT_DOCS } from '../settings';

type WithoutDefault<Schema> = Schema extends z.ZodDefault<infer Inner> ? Inner : Schema;

/** Returns the fields without their defaults, so that a patch changes only what it names. */
function withoutDefaults<Shape extends z.ZodRawShape>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, schema]) => {
    return [name, schema instanceof z.ZodDefault ? schema.unwrap() : schema] as const;
  });
  return Object.fromEntries(fields) as { [Name in keyof Shape]: WithoutDefault<Shape[Name]> };
}

/** Returns a group of settings of which a patch names some. */
function groupPatch<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  return z.strictObject(withoutDefaults(shape)).partial();
}

const config = withoutDefaults(projectConfigSchema.shape);

const tierPatchSchema = z
  .strictObject(withoutDefaults(tierPolicySchema.shape))
  .partial()
  .extend({ tier: tierSchema, isolation: z.unknown() })
  .partial({ isolation: true });
export type TierPatch = z.infer<typeof tierPatchSchema>;

const nameSchema = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(80, 'A name has at most 80 characters.');

/** Objects merge, lists are replaced; `tiers` merge by their number. */
export const projectPatchSchema = z
  .strictObject({
    name: nameSchema,
    slug: slugSchema,
    ...config,
    tiers: z.array(tierPatchSchema).max(3),
    continuation: groupPatch(config.continuation),
    budgets: groupPatch(config.budgets),
    approvals: groupPatch(config.approvals),
    checkpoints: groupPatch(config.checkpoints),
    monitoring: groupPatch(config.monitoring),
    startOn: groupPatch(config.startOn),
    incidents: groupPatch(config.incidents),
  })
  .partial()
  .meta({ fields: PROJECT_DOCS });
export type ProjectPatch = z.infer<typeof projectPatchSchema>;

/** A new project: a name and every difference from the defaults. */
export const projectDocumentSchema = projectPatchSchema
  .extend({ name: nameSchema })
  .meta({ fields: PROJECT_DOCS });
export type ProjectDocument = z.infer<typeof projectDocumentSchema>;

/** What a hidden password reads as; see `shownTarget`. */
const HIDDEN = ':[redacted]@';

export interface NamedConfig {
  name: string;
  slug: string;
  config: ProjectConfig;
}

/**
 * Returns a project as the document that recreates it. It contains only the names of secrets, and
 * the passwords of URLs are hidden.
 */
export function toDocument({ name, slug, config }: NamedConfig): ProjectDocument {
  return {
    name,
    slug,
    ...config,
    services: config.services.map((service) => ({
      ...service,
      checks: service.checks.map((check) => ({ ...check, target: shownTarget(check.target) })),
    })),
  };
}

/** Puts passwords back that an export hid, where the same target is there now. */
export function withPasswords<Doc extends Pick<ProjectDocument, 'services'>>(
  document: Doc,
  current: ProjectConfig | null,
): Doc {
  if (!document.services) return document;
  const known = (current?.services ?? []).flatMap(({ checks }) => checks.map((c) => c.target));
  const services = document.services.map((service) => ({
    ...service,
    checks: service.checks.map((check) => {
      const full = known.find((target) => shownTarget(target) === check.target);
      return { ...check, target: full ?? check.target };
    }),
  }));
  return { ...document, services };
}

/** Paths of targets whose password was left out at the export and is not known here. */
export function hiddenTargets({ services = [] }: Pick<ProjectDocument, 'services'>): string[] {
  return services.flatMap(({ checks }, service) =>
    checks.flatMap(({ target }, check) =>
      target.includes(HIDDEN) ? [`services.${service}.checks.${check}.target`] : [],
    ),
  );
}
