import { shownTarget } from '@/lib/protocol/checks/target';
import type { ProjectConfig } from '../schema';
import type { ProjectDocument } from './schema';

/** What a hidden password reads as; see `shownTarget`. */
const HIDDEN = ':[redacted]@';

export interface NamedConfig {
  name: string;
  slug: string;
  config: ProjectConfig;
}

/**
 * A project as the document that would make it again. Of secrets it holds the names, as the
 * configuration does, and the passwords of URLs are hidden.
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
