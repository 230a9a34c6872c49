/** Which program calls, as it names itself. Audit entries record it; nothing is decided by it. */
import type { TokenClient } from '@/lib/platform/db/scope';
import { plainLine } from './untrusted';

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
/** Of Claude Code: the tool call of its model. */
const TOOL_USE = 'claudecode/toolUseId';
const MAX_CHARS = 120;

/** What of a request says who sent it. All of it is text from outside. */
interface ClientFacts {
  /** Reserved fields of the 2026 protocol; earlier ones send the client's name at the start alone. */
  envelope: unknown;
  meta: unknown;
  userAgent: string | null;
}

/** Returns the client's name and version, else its User-Agent, and the id of the tool call. */
export function clientOf({ envelope, meta, userAgent }: ClientFacts): TokenClient {
  const info = fieldOf(envelope, CLIENT_INFO);
  const names = [fieldOf(info, 'name'), fieldOf(info, 'version')].filter(isText);
  const toolUse = fieldOf(meta, TOOL_USE);
  return {
    name: plainLine(names.join(' ') || userAgent || '', MAX_CHARS) || 'unknown',
    toolUseId: isText(toolUse) ? plainLine(toolUse, MAX_CHARS) : null,
  };
}

function fieldOf(value: unknown, name: string): unknown {
  const isRecord = typeof value === 'object' && value !== null;
  return isRecord ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
