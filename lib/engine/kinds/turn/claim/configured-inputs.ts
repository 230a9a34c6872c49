import { createHash } from 'node:crypto';
import { expandRules } from '@/lib/projects/rules/placeholders';
import type { ProjectConfig } from '@/lib/projects/schema';

/**
 * Stands for everything configured that shapes a conversation: what the agent is told and what it
 * may use. A hash of the inputs, so that a date or a name in the rendered text changes nothing, and
 * neither does a setting that concerns other tiers.
 */
export function configuredInputs(config: ProjectConfig): string {
  const [observe] = config.tiers;
  const inputs = [
    config.instructions,
    sorted(observe.tools),
    sorted(expandRules(observe.allowedTools, config.services)),
    sorted(expandRules(observe.disallowedTools, config.services)),
    sorted(config.services.map(({ name }) => name)),
    sorted(config.secrets.filter(({ tiers }) => tiers.includes(1)).map(({ name }) => name)),
  ];
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16);
}

function sorted(words: readonly string[]): string[] {
  return words.toSorted();
}
