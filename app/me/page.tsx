import type { Metadata } from 'next';
import Link from 'next/link';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { DefinitionList } from '@/app/_components/ui/definition-list';
import { Wordmark } from '@/app/(auth)/_components/wordmark';
import { signOut } from '@/app/(auth)/actions';
import { listAuthSessions } from '@/lib/auth/auth-sessions/service';
import { requireUser } from '@/lib/auth/current-user';
import { listMine } from '@/lib/organizations/service';
import { SignInList } from './_components/sign-in-list';
import { SignOutEverywhere } from './_components/sign-out-everywhere';

export const metadata: Metadata = { title: 'Your profile' };

export default async function ProfilePage() {
  const user = await requireUser();
  const [signIns, organizations] = await Promise.all([listAuthSessions(user), listMine(user.id)]);
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
          <h1 className="text-page">Your profile</h1>
          <p>
            {signIns.length === 1
              ? 'No other browser is signed in as you.'
              : `${signIns.length} browsers are signed in as you.`}
          </p>
        </div>
        <Card title="You">
          <DefinitionList
            items={[
              { term: 'Name', value: user.name },
              { term: 'E-mail', value: user.email },
              {
                term: 'Organizations',
                value: (
                  <ul className="flex flex-col gap-1">
                    {organizations.map(({ slug, name, role }) => (
                      <li key={slug}>
                        <Link href={`/${slug}`} className="link">
                          {name}
                        </Link>
                        <span className="text-text-3"> · {role}</span>
                      </li>
                    ))}
                  </ul>
                ),
              },
            ]}
          />
        </Card>
        <Card
          title="Sign-ins"
          note={signIns.length}
          actions={<SignOutEverywhere count={signIns.length} />}
          isFlush
        >
          <SignInList signIns={signIns} />
        </Card>
      </main>
    </div>
  );
}
