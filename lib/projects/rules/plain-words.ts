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
