import { shellQuote } from '@/app/_components/ui/code-block';

/** Longer values are folded: they would push the other flags out of view. */
const MAX_SHOWN_CHARACTERS = 300;

export interface ArgvLine {
  /** The flag, or the program, quoted for a shell; empty for values before any flag. */
  flag: string;
  /** Its values, quoted and joined. */
  values: string;
  /** What a folded value is: "schema, 2.1 kB"; null when it is short enough to show. */
  folded: string | null;
}

/** What the value of a flag is; of others "value". */
const KINDS: Record<string, string> = {
  '--json-schema': 'schema',
  '--mcp-config': 'MCP configuration',
  '--settings': 'settings',
  '--append-system-prompt': 'system prompt',
  '--allowedTools': 'rules',
  '--disallowedTools': 'rules',
};

/** An argv as lines, the program first, then each flag with its values in the order of the start. */
export function foldedArgv(argv: readonly string[]): ArgvLine[] {
  const lines: { flag: string; values: string[] }[] = [];
  for (const [index, word] of argv.entries()) {
    const last = lines.at(-1);
    const isValue = index > 1 && !word.startsWith('-') && lines.length > 1;
    if (isValue && last) last.values.push(shellQuote(word));
    else lines.push({ flag: shellQuote(word), values: [] });
  }
  return lines.map(({ flag, values }) => {
    const joined = values.join(' ');
    const isLong = joined.length > MAX_SHOWN_CHARACTERS;
    return { flag, values: joined, folded: isLong ? foldedText(flag, joined) : null };
  });
}

/** The whole argv as one shell command. */
export function shellCommand(argv: readonly string[]): string {
  return argv.map(shellQuote).join(' ');
}

function foldedText(flag: string, values: string): string {
  const bytes = new TextEncoder().encode(values).length;
  const size = bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`;
  return `${KINDS[flag] ?? 'value'}, ${size}`;
}
