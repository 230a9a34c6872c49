import type { Role } from './roles';

declare const brand: unique symbol;
/** A UUID that lib/identity/tenancy has checked. A plain string does not compile in its place. */
export type OrganizationId = string & { readonly [brand]: 'organization' };

/** The program that acts with an API token, as it names itself: nobody has verified it. */
export interface TokenClient {
  /** On one line: `claude-code 2.1.330`. */
  name: string;
  /** Of the tool call that the program's model made; null if it sent none. */
  toolUseId: string | null;
}

type Actor =
  /** `provedAt`: when the person last showed who they are; without it, unknown. */
  | { kind: 'user'; id: string; label: string; provedAt?: Date | undefined }
  /** `client`: set for calls by the Model Context Protocol. */
  | {
      kind: 'api_token';
      id: string;
      label: string;
      scopes: readonly string[];
      client?: TokenClient | undefined;
    }
  | { kind: 'runner'; id: string; label: string }
  | { kind: 'system'; id: string; label: string };

/** Who acts, as what, in which organization. Only lib/identity/tenancy makes one. */
export interface TenantScope {
  readonly organizationId: OrganizationId;
  readonly organizationSlug: string;
  readonly actor: Actor;
  readonly role: Role;
}

/** `user:0199…`, as the audit log writes it. */
export function actorRef(actor: Actor): string {
  return `${actor.kind}:${actor.id}`;
}
