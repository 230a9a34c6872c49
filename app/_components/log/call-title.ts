import { isReportCall, reportBriefOf } from './report-brief';

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
