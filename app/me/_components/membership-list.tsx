import Link from 'next/link';
import type { Role } from '@/lib/platform/db/roles';

export interface OwnMembership {
  slug: string;
  name: string;
  role: Role;
  /** Valid API tokens that the person made there; null where the role has none. */
  tokenCount: number | null;
}

/** Where the person belongs, and the tokens that act there because of them. */
export function MembershipList({ memberships }: { memberships: readonly OwnMembership[] }) {
  return (
    <ul aria-label="Organizations">
      {memberships.map(({ slug, name, role, tokenCount }) => (
        <li
          key={slug}
          className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-2 first:border-t-0"
        >
          <Link href={`/${slug}`} className="link min-w-0 break-words font-medium">
            {name}
          </Link>
          <span className="text-text-2 text-ui">{role}</span>
          <span className="ml-auto text-ui">
            {tokenCount === null ? (
              <span className="text-text-3">API tokens need the admin role</span>
            ) : (
              <Link href={`/${slug}/settings/tokens`} className="link">
                {tokenWords(tokenCount)}
              </Link>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function tokenWords(count: number): string {
  if (count === 0) return 'No API tokens of yours';
  return count === 1 ? '1 API token of yours' : `${count} API tokens of yours`;
}
