import type { ChangeGroup, ChangeKind, PolicyPreview } from '@/lib/insight/policy-preview/schema';
import { formatCount, formatCounted } from '@/lib/platform/format/count';
import { visibleText } from '@/lib/platform/format/visible-text';

const SHOWN = 10;

const KINDS: Record<ChangeKind, string> = {
  newly_allowed: 'newly allowed',
  no_longer_asking: 'no longer requiring approval',
  newly_asking: 'newly requiring approval',
  newly_refused: 'newly refused',
  newly_inside: 'newly in the sandbox',
};

/** Returns the lines that say what a change of rules makes of recent commands; none if it changes no rules. */
export function policyLines({ days, tiers, groups }: PolicyPreview): string[] {
  if (tiers.length === 0) return [];
  const heading = `Over the last ${days} days:`;
  if (groups.length === 0) return [heading, '  No command is decided differently.'];
  const cut = tiers
    .filter(({ isCut }) => isCut)
    .map(({ tier }) => `  Only the newest commands of tier ${tier} were compared.`);
  return [heading, ...groups.flatMap(groupLines), ...cut];
}

function groupLines({ kind, tier, commands, calls, listed }: ChangeGroup): string[] {
  const counts = `${formatCounted(commands, 'command')}, ${formatCounted(calls, 'call')}`;
  const shown = listed.slice(0, SHOWN);
  const more = commands - shown.length;
  return [
    `  ${KINDS[kind]} in tier ${tier}: ${counts}`,
    ...shown.map(({ command, count, newest }) => {
      const [first = '', ...rest] = command.split('\n');
      const text = visibleText(rest.length > 0 ? `${first} …` : first);
      return `    ${formatCount(count)} × ${text} (Session #${newest.sessionNumber})`;
    }),
    ...(more > 0 ? [`    ${formatCount(more)} more; --json lists up to 200`] : []),
  ];
}
