/** Who is signed in: there is no browser whose cookie would say it. */
import { beforeEach, vi } from 'vitest';
import * as session from '@/lib/identity/auth/current-user';

/** Pages, server actions and their routes find the `user` that it is set to. */
export function useSignedIn(): { user: unknown } {
  const signedIn: { user: unknown } = { user: null };
  beforeEach(() => {
    vi.spyOn(session, 'currentUser').mockImplementation(async () => signedIn.user as never);
  });
  return signedIn;
}
