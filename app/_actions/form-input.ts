/** Returns a form as an object; a name that occurs several times becomes a list. */
export function inputOfForm(form: FormData): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const name of new Set(form.keys())) {
    // React's own fields.
    if (name.startsWith('$')) continue;
    const all = form.getAll(name);
    input[name] = all.length > 1 ? all : all[0];
  }
  return input;
}

/** What a form may show again after an error: its texts, without passwords. */
export function keptValues(form: FormData): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of form) {
    const isOurs = !name.startsWith('$') && !/password|secret|token/i.test(name);
    if (isOurs && typeof value === 'string') kept[name] = value;
  }
  return kept;
}
