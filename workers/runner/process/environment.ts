/**
 * The environment of a process we start, complete as it is. The types of Next.js would have
 * NODE_ENV in every one, which an agent has no use for.
 */
export function completeEnv(env: Record<string, string>): NodeJS.ProcessEnv {
  return env as NodeJS.ProcessEnv;
}
