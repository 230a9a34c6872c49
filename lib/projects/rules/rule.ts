/** A permission rule taken apart: `Bash(docker ps:*)` is the tool Bash and a prefix. */

type RuleForm =
  /** The tool itself, whatever it is called with. */
  | { kind: 'whole' }
  /** `docker ps:*`: these words, and whatever follows after a space. */
  | { kind: 'prefix'; text: string }
  /** Stars elsewhere stand for anything. */
  | { kind: 'pattern'; text: string }
  /** Nothing but this text. */
  | { kind: 'exact'; text: string };

export interface Rule {
  /** As it was written. */
  text: string;
  tool: string;
  form: RuleForm;
}

/** Null if the text is not a rule. */
export function parseRule(text: string): Rule | null {
  const match = /^([A-Za-z_][\w-]*)(?:\(([\s\S]*)\))?$/.exec(text.trim());
  const tool = match?.[1];
  if (!tool) return null;
  return { text, tool, form: formOf(match[2]) };
}

function formOf(inner: string | undefined): RuleForm {
  const text = inner?.trim() ?? '';
  if (text === '' || text === '*' || text === ':*') return { kind: 'whole' };
  if (text.endsWith(':*') && !text.slice(0, -2).includes('*')) {
    return { kind: 'prefix', text: text.slice(0, -2) };
  }
  return text.includes('*') ? { kind: 'pattern', text } : { kind: 'exact', text };
}

/** Whether a Bash rule covers one simple command, as the CLI was measured to match. */
export function coversCommand({ form }: Rule, command: string): boolean {
  // Several spaces count as one, except where the rule names the whole text.
  const words = command.trim().replace(/\s+/g, ' ');
  switch (form.kind) {
    case 'whole':
      return true;
    case 'exact':
      return command.trim() === form.text;
    case 'prefix':
      return words === form.text || words.startsWith(`${form.text} `);
    case 'pattern':
      return patternOf(form.text).test(words);
  }
}

/** `docker restart web *` also covers the command without anything behind it. */
function patternOf(text: string): RegExp {
  const open = text.endsWith(' *') && !text.slice(0, -2).includes('*');
  const body = open ? text.slice(0, -2) : text;
  const source = body.split('*').map(escaped).join('[\\s\\S]*');
  return new RegExp(`^${source}${open ? '(?: [\\s\\S]*)?' : ''}$`);
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}

/** Cuts a command rule where commands that it means may be spelled in more than one way. */

/** A placeholder, an option in brackets, a quote, an escape or a star. */
const VARIES = /[{}[\]'"\\*$]/;

/**
 * Returns the program of a rule and the plain words after it, up to its first placeholder, option or
 * quote: `docker`, `restart` of `Bash(docker restart [--time {int}] {service})`. Null for a rule that
 * names no program.
 */
export function plainWords(rule: string): [string, ...string[]] | null {
  const inner = /^Bash\(([\s\S]*)\)$/.exec(rule.trim())?.[1]?.trim() ?? '';
  const words = inner
    .replace(/(?::\*| \*)$/, '')
    .trim()
    .split(/\s+/);
  const end = words.findIndex((word) => VARIES.test(word) || /^[-+]/.test(word));
  const [program, ...args] = words.slice(0, end === -1 ? undefined : end);
  return program ? [program, ...args] : null;
}
