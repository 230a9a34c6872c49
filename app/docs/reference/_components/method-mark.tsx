/** "POST /api/v1/projects/{projectId}/chains"; breaks at its slashes. */
export function MethodAndPath({ method, path }: { method: string; path: string }) {
  return (
    <span className="inline-flex min-w-0 items-baseline gap-2 font-mono text-code">
      <span className="w-13 shrink-0 font-semibold">{method}</span>
      <span className="min-w-0 [overflow-wrap:anywhere]">{path}</span>
    </span>
  );
}
