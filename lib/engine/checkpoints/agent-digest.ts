/** The agent's own digest, as it passes it to `session_digest`. */
interface AgentDigest {
  summary: string;
  decisions?: readonly string[] | undefined;
  state?: string | undefined;
  blockers?: readonly string[] | undefined;
}

/** Returns the agent's digest as text, unchanged. A summary alone gets no heading. */
export function agentDigest({
  summary,
  decisions = [],
  state,
  blockers = [],
}: AgentDigest): string {
  return [
    summary,
    ...(decisions.length > 0 ? [`### Decisions\n${bullets(decisions)}`] : []),
    ...(state ? [`### State\n${state}`] : []),
    ...(blockers.length > 0 ? [`### Blockers\n${bullets(blockers)}`] : []),
  ].join('\n\n');
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
