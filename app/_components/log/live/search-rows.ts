import { callTitle } from '../call-title';
import type { LogItem, LogRow } from '../log-rows';
import { metaText } from '../meta-text';

/** Numbers of the events whose text holds the words, in order; capitals do not matter. */
export function searchRows(rows: readonly LogRow[], query: string): number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  const found: number[] = [];
  const look = (seq: number, text: string) => {
    if (text.toLowerCase().includes(wanted)) found.push(seq);
  };
  const lookInItems = (items: readonly LogItem[]) => {
    for (const item of items) {
      if (item.type === 'text') look(item.seq, item.text);
      else {
        look(item.seq, textOfCall(item));
        lookInItems(item.items);
      }
    }
  };
  for (const row of rows) {
    if (row.type === 'request') lookInItems(row.items);
    else look(row.seq, textOf(row));
  }
  return found;
}

function textOfCall({ tool, input, result }: Extract<LogItem, { type: 'call' }>): string {
  const { mark, text } = callTitle(tool, input);
  const output = result ? `${result.stdout ?? ''}\n${result.stderr ?? ''}\n${result.content}` : '';
  return `${mark} ${text}\n${output}`;
}

function textOf(row: Exclude<LogRow, { type: 'request' }>): string {
  switch (row.type) {
    case 'notice':
      return `${row.code} ${row.message}`;
    case 'stderr':
      return row.text;
    case 'meta':
      return metaText(row.event).text;
    case 'late_result':
      return row.result.stdout ?? row.result.content;
    case 'missing':
      return '';
  }
}
