/** What became of a tool call: ran, refused, with which exit code. */
import type { ToolResultEvent } from '@/lib/protocol/events';
import { cutText, MAX_EVENT_BYTES } from '../event-size';
import { shellResult, textBlock, toolResultBlock } from './cli-lines';

/**
 * How the CLI words a refusal. Anchored at the start: the output of a shell command that failed
 * begins with `Exit code`, so a program cannot make its output look like one of these.
 */
const REFUSALS = [
  /^Permission to use \S+ .*has been denied/s,
  /^Permission for this (action|tool) /,
  /^This command requires approval/,
  /^This Bash command contains multiple operations\. The following part/,
  /^Claude requested permissions to /,
  /^\S+ (in|with) '.*' was blocked\. For security/s,
  /^Output redirection to '.*' was blocked\./s,
  /^Contains [a-z_]+$/,
  /^\S+ with '.*' executes commands or modifies files/s,
  /^(<tool_use_error>)?(Error: )?No such tool available: /,
  /^(<tool_use_error>)?File is in a directory that is denied by your permission settings/,
];

function isRefusal(isError: boolean, content: string): boolean {
  return isError && REFUSALS.some((pattern) => pattern.test(content));
}

/** `tool` is the name of the call this answers, null when the call was not seen. */
export function toolResult(
  block: unknown,
  structured: unknown,
  tool: string | null,
): ToolResultEvent | null {
  const parsed = toolResultBlock.safeParse(block);
  if (!parsed.success) return null;
  const isError = parsed.data.is_error;
  const content = flatten(parsed.data.content);
  const shell = tool === 'Bash' ? shellResult.safeParse(structured) : null;
  const shellOutput = shell?.success ? shell.data : null;
  const denied = isRefusal(isError, content);
  const texts = withinBudget(content, shellOutput?.stderr ?? null, shellOutput?.stdout ?? null);
  return {
    kind: 'tool_result',
    toolUseId: parsed.data.tool_use_id,
    isError,
    denied,
    ...texts,
    exitCode: tool === 'Bash' && !denied ? exitCode(isError, content, shellOutput) : null,
  };
}

/**
 * A line that was too long to be kept whole can still say which call it answers; without that,
 * the call would count as running for ever.
 */
export function cutToolResult(line: string, cutBytes: number): ToolResultEvent | null {
  if (!line.startsWith('{"type":"user"')) return null;
  const toolUseId = /"tool_use_id":"([^"\\]+)"/.exec(line)?.[1];
  if (toolUseId === undefined) return null;
  const kept = cutText(line, MAX_EVENT_BYTES);
  return {
    kind: 'tool_result',
    toolUseId,
    isError: false,
    denied: false,
    content: kept.text,
    stdout: null,
    stderr: null,
    exitCode: null,
    cutBytes: kept.cutBytes + cutBytes,
  };
}

function flatten(content: string | Record<string, unknown>[]): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => textBlock.safeParse(block).data?.text ?? `[${String(block.type)}]`)
    .join('\n');
}

function exitCode(
  isError: boolean,
  content: string,
  shell: { interrupted: boolean; backgroundTaskId: string | null } | null,
): number | null {
  if (isError) {
    const code = /^Exit code (\d{1,3})\b/.exec(content)?.[1];
    return code === undefined ? null : Number(code);
  }
  return shell === null || shell.interrupted || shell.backgroundTaskId !== null ? null : 0;
}

/** `content` first: it is what the model read. */
function withinBudget(content: string, stderr: string | null, stdout: string | null) {
  const keptContent = cutText(content, MAX_EVENT_BYTES);
  let left = MAX_EVENT_BYTES - Buffer.byteLength(keptContent.text);
  const keptStderr = stderr === null ? null : cutText(stderr, left);
  left -= Buffer.byteLength(keptStderr?.text ?? '');
  const keptStdout = stdout === null ? null : cutText(stdout, left);
  return {
    content: keptContent.text,
    stderr: keptStderr?.text ?? null,
    stdout: keptStdout?.text ?? null,
    cutBytes: keptContent.cutBytes + (keptStderr?.cutBytes ?? 0) + (keptStdout?.cutBytes ?? 0),
  };
}
