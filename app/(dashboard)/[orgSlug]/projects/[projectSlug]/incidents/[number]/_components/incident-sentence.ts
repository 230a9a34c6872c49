import type { IncidentDetail } from '@/lib/insight/incidents/schema';

/** What fails or how it ended, and who has to do something. */
export function incidentSentence(
  incident: Pick<
    IncidentDetail,
    | 'state'
    | 'source'
    | 'summary'
    | 'needsHumanSince'
    | 'acknowledgedBy'
    | 'silencedBy'
    | 'chains'
    | 'services'
    | 'alerts'
  >,
): string {
  const sentence = stateSentence(incident);
  return incident.silencedBy === null
    ? sentence
    : `${sentence} Nobody is notified: it is silenced.`;
}

function stateSentence(incident: Parameters<typeof incidentSentence>[0]): string {
  const { state, summary, needsHumanSince, acknowledgedBy, chains } = incident;
  if (state === 'resolved') return summary;
  if (state === 'verifying') {
    if (incident.source === 'finding') {
      return 'The last chain found all of its services healthy. It is resolved unless one finds otherwise during the verification.';
    }
    return incident.services.length === 0 && incident.alerts
      ? 'Its alerts have ended. It is resolved once nothing has been reported for the whole verification.'
      : 'All of its services are healthy. It is resolved once they have stayed so for the whole verification.';
  }
  if (state === 'acknowledged')
    return `${summary} ${acknowledgedBy ?? 'Someone'} is working on it.`;
  if (needsHumanSince) return `${summary} It needs a human.`;
  const moving = chains.findLast(({ outcome }) => outcome === null);
  return moving ? `${summary} Chain #${moving.number} is looking at it.` : summary;
}
