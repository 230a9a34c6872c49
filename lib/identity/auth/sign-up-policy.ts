const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]', '::1'];

interface SignUpFacts {
  signUp: 'open' | 'invite' | '';
  isLoopbackOnly: boolean;
  publicUrl: string;
}

/**
 * Whether strangers may make accounts. Unless it is set, only where the service answers on
 * loopback alone: a proxy in front, told by its public address, makes it reachable from outside.
 */
export function isSignUpOpen({ signUp, isLoopbackOnly, publicUrl }: SignUpFacts): boolean {
  if (signUp) return signUp === 'open';
  return isLoopbackOnly && LOOPBACK_HOSTS.includes(new URL(publicUrl).hostname);
}
