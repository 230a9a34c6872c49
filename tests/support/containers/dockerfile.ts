/** What a Dockerfile of this checkout says: its stages and their instructions, in order. */

export interface Copy {
  kind: 'COPY';
  /** A stage; null: the build context. */
  from: string | null;
  sources: string[];
  target: string;
}

export type Instruction =
  | Copy
  | { kind: 'RUN'; command: string }
  | { kind: 'ENV'; variables: Record<string, string> }
  | { kind: 'USER'; name: string };

export interface Stage {
  name: string;
  /** An earlier stage, or an image. */
  base: string;
  instructions: Instruction[];
}

/** Words that change nothing in the tree that an image holds. */
const IGNORED = new Set(['ARG', 'WORKDIR', 'EXPOSE', 'CMD']);

/** @throws Error for a word that this parser doesn't know */
export function parseDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  const lines = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n');
  for (const line of lines) {
    const [, word = '', rest = ''] = /^\s*([A-Z]+)\s+(.*\S)\s*$/.exec(line) ?? [];
    if (word === '' || IGNORED.has(word)) continue;
    if (word === 'FROM') {
      const [, base = '', name = ''] = /^(\S+) AS (\S+)$/.exec(rest) ?? [];
      stages.push({ name, base, instructions: [] });
      continue;
    }
    stages.at(-1)?.instructions.push(parseInstruction(word, rest));
  }
  return stages;
}

function parseInstruction(word: string, rest: string): Instruction {
  switch (word) {
    case 'COPY': {
      const words = rest.split(/\s+/);
      const from = words[0]?.startsWith('--from=') ? words.shift() : undefined;
      const target = words.pop() ?? '';
      return { kind: 'COPY', from: from?.slice('--from='.length) ?? null, sources: words, target };
    }
    case 'RUN':
      return { kind: 'RUN', command: rest };
    case 'ENV':
      return {
        kind: 'ENV',
        variables: Object.fromEntries(rest.split(/\s+/).map((pair) => pair.split('=', 2))),
      };
    case 'USER':
      return { kind: 'USER', name: rest };
    default:
      throw new Error(`The parser of Dockerfiles doesn't know ${word}. Teach it.`);
  }
}

/** Whether a path of the build context stays out, by .dockerignore: names, `**` and `*`. */
export function ignoreRules(dockerignore: string): (file: string) => boolean {
  const rules = dockerignore
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const pattern = line
        .split(/(\*\*\/|\*)/)
        .map((part) => {
          if (part === '**/') return '(?:.*/)?';
          return part === '*' ? '[^/]*' : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
        })
        .join('');
      return new RegExp(`^${pattern}(?:/|$)`);
    });
  return (file) => rules.some((rule) => rule.test(file));
}
