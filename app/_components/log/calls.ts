import type { CallItem } from './events';

interface CallTitle {
  /** "$" for a shell command, else the tool: "Read", "mcp tierwatch/check". */
  mark: string;
  /** The command, the path, or the input in short. */
  text: string;
  /** Lines that an edit adds and removes. */
  change: { added: number; removed: number } | null;
}

/** What a call does, in a line. */
export function callTitle(tool: string, input: Record<string, unknown>): CallTitle {
  const word = (key: string) => (typeof input[key] === 'string' ? input[key] : '');
  if (tool === 'Bash') return { mark: '$', text: word('command'), change: null };
  if (isReportCall({ tool })) {
    return { mark: 'Report', text: reportBriefOf({ tool, input })?.summary ?? '', change: null };
  }
  const path = word('file_path') || word('path') || word('notebook_path');
  if (tool === 'Edit') {
    return {
      mark: 'Edit',
      text: path,
      change: { added: countLines(word('new_string')), removed: countLines(word('old_string')) },
    };
  }
  if (tool === 'Write') {
    return {
      mark: 'Write',
      text: path,
      change: { added: countLines(word('content')), removed: 0 },
    };
  }
  const mcp = /^mcp__(.+?)__(.+)$/.exec(tool);
  const mark = mcp ? `mcp ${mcp[1]}/${mcp[2]}` : tool;
  return { mark, text: path || word('pattern') || brief(input), change: null };
}

function countLines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

function brief(input: Record<string, unknown>): string {
  return Object.entries(input)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

export type CallEnd = 'pending' | 'ok' | 'failed' | 'denied';

export function callEnd({ result }: CallItem): CallEnd {
  if (!result) return 'pending';
  if (result.denied) return 'denied';
  return result.isError || (result.exitCode ?? 0) !== 0 ? 'failed' : 'ok';
}

/** A call is open when something is to be seen in it, or when it is the last one. */
export function isOpenByDefault(call: CallItem, isLast: boolean): boolean {
  return isLast || ['failed', 'denied'].includes(callEnd(call));
}

/** The tool by which a tier hands in its report. */
const REPORT_TOOL = 'StructuredOutput';

type ServiceStatus = 'healthy' | 'degraded' | 'down';

/** What the log shows of a report. The Report tab has all of it. */
export interface ReportBrief {
  summary: string;
  services: readonly { name: string; status: ServiceStatus; detail: string }[];
  /** Null unless a higher tier was requested. */
  escalation: { reason: string; services: readonly string[] } | null;
}

/**
 * Returns the report that a call hands in; null for any other call, and for an input that isn't a
 * report. The input is read field by field: the schema would bring its whole library to the page.
 */
export function reportBriefOf(call: {
  tool: string;
  input: Record<string, unknown>;
}): ReportBrief | null {
  if (call.tool !== REPORT_TOOL) return null;
  const { summary, services_checked: services, escalation } = call.input;
  if (typeof summary !== 'string' || summary.trim() === '') return null;
  return {
    summary,
    services: Array.isArray(services) ? services.flatMap(serviceOf) : [],
    escalation: escalationOf(escalation),
  };
}

/** Whether the call hands in structured output, readable or not. */
export function isReportCall({ tool }: { tool: string }): boolean {
  return tool === REPORT_TOOL;
}

/** The words of a report that its row shows, for the search. */
export function textOfReport({ summary, services, escalation }: ReportBrief): string {
  return [
    summary,
    ...services.map(({ name, detail }) => `${name}\n${detail}`),
    escalation?.reason ?? '',
    escalation?.services.join(', ') ?? '',
  ].join('\n');
}

const STATUSES: readonly unknown[] = ['healthy', 'degraded', 'down'] satisfies ServiceStatus[];

function serviceOf(value: unknown): ReportBrief['services'] {
  const { name, status, detail } = recordOf(value);
  if (typeof name !== 'string' || !STATUSES.includes(status)) return [];
  return [
    { name, status: status as ServiceStatus, detail: typeof detail === 'string' ? detail : '' },
  ];
}

function escalationOf(value: unknown): ReportBrief['escalation'] {
  const { wanted, reason, services } = recordOf(value);
  if (wanted !== true) return null;
  return {
    reason: typeof reason === 'string' ? reason : '',
    services: Array.isArray(services) ? services.filter((name) => typeof name === 'string') : [],
  };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
