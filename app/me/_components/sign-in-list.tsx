import { Time } from '@/app/_components/status/time';
import type { AuthSessionDto } from '@/lib/identity/auth/schema';
import { browserName } from './browser-name';
import { EndSignIn } from './end-sign-in';

/** The browsers that are signed in. This one is ended by "Sign out", the others here. */
export function SignInList({ signIns }: { signIns: readonly AuthSessionDto[] }) {
  return (
    <ul aria-label="Sign-ins">
      {signIns.map((signIn) => (
        <li
          key={signIn.id}
          className="flex min-h-14 items-center gap-3 border-line border-t px-4 py-2 first:border-t-0"
        >
          <span className="flex min-w-0 flex-1 flex-col">
            <span className="font-medium" title={signIn.userAgent || undefined}>
              {browserName(signIn.userAgent)}
            </span>
            <span className="text-text-2 text-ui">
              {signIn.isThisOne ? (
                'This browser'
              ) : (
                <>
                  Last seen <Time at={signIn.lastSeenAt} isPlain />
                </>
              )}
              , signed in <Time at={signIn.createdAt} form="day" isPlain />
            </span>
          </span>
          {signIn.isThisOne ? null : (
            <EndSignIn authSessionId={signIn.id} browser={browserName(signIn.userAgent)} />
          )}
        </li>
      ))}
    </ul>
  );
}
