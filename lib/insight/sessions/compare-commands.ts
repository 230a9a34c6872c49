export interface ComparedCommand {
  command: string;
  /** How often each session ran it. */
  counts: readonly [first: number, second: number];
}

/**
 * Returns every command of two sessions once, with how often each ran it: those that only one ran
 * stand first, in the order in which they were run.
 */
export function compareCommands(
  first: readonly string[],
  second: readonly string[],
): ComparedCommand[] {
  const counts = new Map<string, [number, number]>();
  for (const [index, commands] of [first, second].entries()) {
    for (const command of commands) {
      const count = counts.get(command) ?? [0, 0];
      count[index === 0 ? 0 : 1] += 1;
      counts.set(command, count);
    }
  }
  const rows = [...counts].map(([command, count]) => ({ command, counts: count }));
  const isShared = ({ counts: [one, other] }: ComparedCommand) => one > 0 && other > 0;
  return [...rows.filter((row) => !isShared(row)), ...rows.filter(isShared)];
}
