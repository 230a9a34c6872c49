import type { Metadata } from 'next';
import { Button } from '@/app/_components/ui/button';
import { Link, TextLink } from '@/app/_components/ui/link';
import { Wordmark } from '@/app/(auth)/_components/wordmark';
import { signOut } from '@/app/(auth)/actions';
import { requireUser } from '@/lib/identity/auth/current-user';
import { getFactors } from '@/lib/identity/factors/manage-factors';
import type { FactorsDto } from '@/lib/identity/factors/schema';
import { listMine } from '@/lib/identity/organizations/service';
import { formatCounted } from '@/lib/platform/format/count';
import { FactorCards } from './_components/factor-cards';

export const metadata: Metadata = { title: 'Second factor' };

interface SecondFactorPageProps {
  searchParams: Promise<{ organization?: string | string[] }>;
}

/** Members of an organization that requires a second factor come here until they have one. */
export default async function SecondFactorPage({ searchParams }: SecondFactorPageProps) {
  const user = await requireUser();
  const { organization: slug } = await searchParams;
  const [factors, memberships] = await Promise.all([getFactors(user.id), listMine(user.id)]);
  const requiring = memberships.filter((membership) => membership.requiresSecondFactor);
  const asking = requiring.find((membership) => membership.slug === slug) ?? null;
  const isOpen = user.secondFactorAt !== null;
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-160 flex-col gap-8 px-4 pt-8 pb-12">
      <header className="flex items-center justify-between gap-4">
        <Link href="/orgs" aria-label="Tierwatch, your organizations">
          <Wordmark />
        </Link>
        <form action={signOut}>
          <Button type="submit" size="sm">
            Sign out
          </Button>
        </form>
      </header>
      <main className="flex flex-col gap-6">
        <div className="flex flex-col gap-1.5">
          <h1 className="text-page">Second factor</h1>
          <p>
            {asking && !isOpen
              ? `${asking.name} requires a second factor. Set one up to open it.`
              : sentenceOf(factors)}
          </p>
          {asking && isOpen ? (
            <p>
              <TextLink href={`/${asking.slug}`}>Open {asking.name}</TextLink>
            </p>
          ) : null}
        </div>
        <FactorCards factors={factors} requiredBy={requiring[0]?.name ?? null} />
        <p className="text-text-2 text-ui">
          <TextLink href="/me">Your profile</TextLink>
        </p>
      </main>
    </div>
  );
}

function sentenceOf({ totp, passkeys }: FactorsDto): string {
  const keys = passkeys.length > 0 ? formatCounted(passkeys.length, 'passkey') : '';
  if (totp && keys) return `You sign in with an authenticator app or ${keys}.`;
  if (totp) return 'You sign in with an authenticator app.';
  if (keys) return `You sign in with ${keys}.`;
  return 'Your account has no second factor: a password or a provider alone signs you in.';
}
