import { ForbiddenError } from '../errors';

export const ROLES = ['viewer', 'operator', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Returns a stored role. Throws for any other text. */
export function asRole(value: string): Role {
  const role = ROLES.find((known) => known === value);
  if (!role) throw new Error(`Unknown role ${value}.`);
  return role;
}

/** Throws ForbiddenError when the scope's role is below `needed`. */
export function requireRole(scope: { role: Role }, needed: Role): void {
  if (!hasRole(scope.role, needed)) {
    throw new ForbiddenError(`This needs the ${needed} role. Yours is ${scope.role}.`);
  }
}
