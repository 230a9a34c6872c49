/** Errors as a model reads them: what happened, why, and what to do. */

/** Of a problem answer, as `lib/platform/http/problem.ts` makes it from any error. */
export interface ToolProblem {
  code: string;
  status: number;
  detail: string;
  /** Path of an argument to what is wrong with it. */
  fields?: Record<string, string> | undefined;
  retryAfterSeconds?: number | undefined;
  chainId?: string | undefined;
}

const ADVICE: Record<number, string> = {
  403: 'Use a token of a person who may do this, with the scopes that it needs.',
  404: 'Check the id, number or slug with list_projects, list_chains, get_chain or list_approvals. A token sees its own organization only.',
  409: 'Read the current state, then decide whether to try again.',
  412: 'Remove what holds it back, then try again.',
  422: 'Correct the arguments by the tool’s schema, then call it again.',
};

/**
 * Returns the text of a failed call.
 *
 * @param tool the tool's name
 */
export function errorText(tool: string, problem: ToolProblem): string {
  const { status, detail, fields = {}, retryAfterSeconds, chainId } = problem;
  const wrong = Object.entries(fields).filter(
    ([path, text]) => path !== '' && !detail.includes(text),
  );
  const advice =
    retryAfterSeconds === undefined
      ? ADVICE[status]
      : `Call it again in ${retryAfterSeconds} s, not earlier.`;
  return [
    `${tool} failed (${problem.code}).`,
    detail,
    ...wrong.map(([path, text]) => `${path}: ${text}`),
    chainId === undefined ? '' : `It is about ${chainId}; get_chain shows it.`,
    advice ?? '',
  ]
    .filter(Boolean)
    .join(' ');
}
