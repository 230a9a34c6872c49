import type { ProjectConfig } from '@/lib/projects/schema';

/** What a new row of a list holds, by the list's path. */
const NEW_ITEMS: Readonly<Record<string, (config: ProjectConfig) => object>> = {
  askAgents: ({ harness, tiers }) => ({ name: '', harness, model: tiers[0].model }),
  cooldowns: () => ({ action: 'restart', limit: 2, windowSeconds: 14_400 }),
  secrets: () => ({ name: '', tiers: [2, 3], rules: [] }),
};

export function newItem(path: string, config: ProjectConfig): object {
  const made = NEW_ITEMS[path];
  if (!made) throw new Error(`Nothing says what a new row of ${path} holds.`);
  return made(config);
}
