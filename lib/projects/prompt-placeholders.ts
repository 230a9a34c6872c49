const PLACEHOLDER = /\{\{([a-z][A-Za-z0-9]*)\}\}/g;

/** Names that stand between double braces, each once. */
export function placeholders(body: string): string[] {
  return [...new Set([...body.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''))];
}

const LOOKALIKE = /\{\{(\s*[A-Za-z_]\w*\s*)\}\}/g;

/**
 * Returns placeholders that would not be replaced, such as `{{service}}` or `{{ project }}`. Not
 * `{{.Names}}`: templates of other programs may occur in a prompt.
 */
export function unknownPlaceholders(body: string, known: readonly string[]): string[] {
  const found = [...body.matchAll(LOOKALIKE)].map((match) => match[1] ?? '');
  return [...new Set(found)].filter((name) => !known.includes(name));
}

/**
 * Fills in the values in one pass: a value that contains `{{name}}` stays that text. Lines that
 * held nothing but an empty value leave no gap.
 */
export function fillTemplate(body: string, values: Readonly<Record<string, string>>): string {
  const filled = body.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
  return `${filled.replace(/\n{3,}/g, '\n\n').trim()}\n`;
}
