import { NO_TARGETS } from '@/lib/commands/service-values';
import type { ServiceSpec } from '@/lib/protocol/spec';

/** A service by its name, or with what its containers, units and processes are called. */
export type NamedService = string | { name: string; aliases: readonly string[] };

/**
 * Returns the names a command may use for a service: its own, and the targets of its local checks.
 */
export function namedServices(services: readonly ServiceSpec[]): NamedService[] {
  return services.map(({ name, checks }) => ({
    name,
    aliases: checks
      .filter((check) => check.type in NO_TARGETS)
      .map((check) => check.target)
      // A process may be found by its pid file, which no command names.
      .filter((target) => target !== name && /^[\w.@-]+$/.test(target)),
  }));
}

/** Returns the services' own names. */
export function namesOfServices(services: readonly Pick<ServiceSpec, 'name'>[]): string[] {
  return services.map(({ name }) => name);
}

export function nameOf(service: NamedService): string {
  return typeof service === 'string' ? service : service.name;
}

export function namesOf(service: NamedService): readonly string[] {
  return typeof service === 'string' ? [service] : [service.name, ...service.aliases];
}

/**
 * Returns the services that a word of a command refers to. `web`, `web.service`, `deploy/web`,
 * `acme-web-1` are all web; if a service is named exactly, services whose name is a part of it
 * don't match.
 */
export function servicesMeant(word: string, services: readonly NamedService[]): string[] {
  const target = plain(word);
  const exact = services.filter((service) => namesOf(service).some((name) => name === target));
  if (exact.length > 0) return exact.map(nameOf);
  const parts = services.flatMap((service) =>
    namesOf(service)
      .filter((name) => isPart(name, target))
      .map((name) => ({ service: nameOf(service), length: name.length })),
  );
  const longest = Math.max(0, ...parts.map((part) => part.length));
  return parts.filter((part) => part.length === longest).map((part) => part.service);
}

function plain(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1).replace(/\.(service|socket|timer|ya?ml)$/, '');
}

/** `web` is a part of `acme-web-1` and of `web_1`, not of `webhooks`. */
function isPart(name: string, target: string): boolean {
  const at = target.indexOf(name);
  if (at === -1 || name === '') return false;
  const isEdge = (char: string | undefined) => char === undefined || /[^A-Za-z0-9]/.test(char);
  return isEdge(target[at - 1]) && isEdge(target[at + name.length]);
}
