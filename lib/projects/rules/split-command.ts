/** A command line as the CLI's permission check reads it: text, parts between operators, no more. */

export interface CommandParts {
  /** Simple commands in order, as they were written. */
  parts: string[];
  /** `$(…)`, backticks, `<(…)`: refused unless everything is allowed. */
  hasSubstitution: boolean;
  /** `>`, `>>`, `<` outside of quotes. */
  hasRedirection: boolean;
}

const OPERATOR = /^(&&|\|\||;|\||&|\n)/;

/** Splits at `&& || ; | &` and line ends outside of quotes; a line that goes on is one line. */
export function splitCommand(line: string): CommandParts {
  const text = line.replace(/\\\n/g, ' ');
  const found: CommandParts = { parts: [], hasSubstitution: false, hasRedirection: false };
  let part = '';
  let quote: string | null = null;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    const rest = text.slice(index);
    if (quote !== "'" && /^(`|\$\(|[<>]\()/.test(rest)) found.hasSubstitution = true;
    if (quote) {
      if (char === quote) quote = null;
      part += char;
      continue;
    }
    const operator = OPERATOR.exec(rest)?.[0];
    if (operator) {
      found.parts.push(part);
      part = '';
      index += operator.length - 1;
      continue;
    }
    if (char === '"' || char === "'") quote = char;
    if (char === '>' || char === '<') found.hasRedirection = true;
    part += char;
  }
  found.parts.push(part);
  found.parts = found.parts.map((each) => each.trim()).filter((each) => each !== '');
  return found;
}
