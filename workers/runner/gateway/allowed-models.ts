/** Which models the requests of an attempt may name. */

/** Families of Claude models, with the aliases that tiers may use for them. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  default: ['opus', 'sonnet'],
  best: ['opus', 'fable'],
  opusplan: ['opus', 'sonnet'],
  // The model that the provider falls back to.
  fable: ['fable', 'opus'],
};

/** What the CLI uses for small tasks of any tier. */
const SMALL = 'haiku';

const FAMILY = /^claude-(?:[\d-]+-)?([a-z]+)(?=-|$)/;

/**
 * Returns whether a request may name this model: the tier's own, any of the same family, since the CLI
 * resolves aliases and retired models by itself, or a small one.
 *
 * @param ofTier the model of the start, an alias or a name
 */
export function isModelAllowed(ofTier: string, requested: string): boolean {
  const own = withoutWindow(ofTier);
  if (withoutWindow(requested) === own) return true;
  const family = FAMILY.exec(requested)?.[1];
  if (family === undefined) return false;
  const ownFamily = FAMILY.exec(own)?.[1] ?? own;
  return family === SMALL || (ALIASES[ownFamily] ?? [ownFamily]).includes(family);
}

/** `sonnet[1m]` is `sonnet` with a long context. */
function withoutWindow(model: string): string {
  return model.replace(/\[\w+\]$/, '');
}
