import type { FiguresOfRange } from '@/lib/insight/incident-figures/get-incident-figures';
import type { IncidentFigures } from '@/lib/insight/incident-figures/schema';
import { formatCounted, formatShare } from '@/lib/platform/format/count';

/** What the incidents of a range come to: how many, how they ended, how often one came back. */
export function incidentsSentence({
  figures,
  rangeWords,
  isCut,
}: Pick<FiguresOfRange, 'figures' | 'rangeWords' | 'isCut'>): string {
  const { incidents, unresolved, resolvedByPerson, fixes, recurrence } = figures;
  if (incidents === 0) return `No incident was opened in ${rangeWords}.`;
  const { ended, recurred, undecided, isSmall } = recurrence;
  const decided = ended - undecided;
  const { proven, recurred: cameBack } = fixes;
  const came = cameBack > 0 ? `, ${cameBack} came back` : '';
  const open = unresolved === 1 ? '1 isn’t resolved' : `${unresolved} aren’t resolved`;
  const sentences = [
    `${formatCounted(incidents, 'incident')} in ${rangeWords}${unresolved > 0 ? `, of which ${open}` : ''}.`,
    resolvedByPerson > 0
      ? `A person resolved ${resolvedByPerson}, so no checks proved ${resolvedByPerson === 1 ? 'that recovery' : 'those recoveries'}.`
      : null,
    fixes.reported === 0
      ? 'No chain reported a fix.'
      : `Chains reported ${formatCounted(fixes.reported, 'fix', 'fixes')}: ${proven} proven${came}.`,
    decided > 0
      ? `The same service failed again within 24 h after ${recurred} of ${decided} (${formatShare(recurred, decided)}${isSmall ? ', a small sample' : ''}).`
      : null,
    undecided > 0 ? `${undecided} ended less than 24 h ago.` : null,
    isCut ? 'Only the newest 2,000 are counted.' : null,
  ];
  return sentences.filter((sentence) => sentence !== null).join(' ');
}

/** What some figures leave out, and why; null if nothing. */
export function leftOutSentence({
  merged,
  reported,
  removed,
  otherwise,
  wellByRemoval,
}: IncidentFigures['leftOut']): string | null {
  const parts: [number, string][] = [
    [reported, 'over only by the report of alert sources'],
    [removed, 'over because nothing checks the services anymore'],
    [otherwise, 'ended in another way'],
  ];
  const notFixed = parts.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`);
  const sentences = [
    notFixed.length > 0 ? `Not counted as fixed: ${notFixed.join(', ')}.` : null,
    wellByRemoval > 0
      ? `Without a time to fix: ${wellByRemoval} verified because a service was removed.`
      : null,
    merged > 0 ? `Not counted: ${merged} merged into another incident.` : null,
  ].filter((sentence) => sentence !== null);
  return sentences.length > 0 ? sentences.join(' ') : null;
}
