/** What people have requested: snoozes, acknowledgements and pauses. */
import type { PauseFact, Snooze } from '../attempt/holds';
import type { StartFacts } from './facts';
import type { ClosedGate } from './gate';

/** Returns the services that don't escalate now: snoozed or acknowledged ones. */
export function quietServices(
  { snoozes, acknowledgements }: Pick<StartFacts, 'snoozes' | 'acknowledgements'>,
  now: Date,
): string[] {
  return [...snoozedServices(snoozes, now), ...acknowledgements.map(({ service }) => service)];
}

/** Returns the services with an active snooze. */
function snoozedServices(snoozes: readonly Snooze[], now: Date): string[] {
  return snoozes.filter((snooze) => snooze.until > now).map((snooze) => snooze.service);
}

export function snoozeGate({ services, snoozes }: StartFacts, now: Date): ClosedGate | null {
  const snoozed = snoozedServices(snoozes, now);
  if (services.length === 0 || !services.every((name) => snoozed.includes(name))) return null;
  return {
    code: 'SNOOZED',
    because: `${services.join(', ')} ${services.length > 1 ? 'are' : 'is'} snoozed`,
    remedy: 'End the snooze, or wait for it to end.',
    ends: 'settled',
    waitReason: null,
  };
}

// A person who has acknowledged a service must not find an agent working on it.
export function acknowledgementGate(facts: StartFacts, now: Date): ClosedGate | null {
  const { services, acknowledgements } = facts;
  const quiet = quietServices(facts, now);
  if (services.length === 0 || !services.every((name) => quiet.includes(name))) return null;
  const taken = acknowledgements.filter(({ service }) => services.includes(service));
  return {
    code: 'ACKNOWLEDGED',
    because: taken
      .map(({ service, by, chainNumber, incidentNumber }) =>
        incidentNumber === null
          ? `${by} has acknowledged ${service} since Chain #${chainNumber}`
          : `${by} has acknowledged ${service} in Incident #${incidentNumber}`,
      )
      .join(', '),
    remedy: 'Escalation resumes once the acknowledgement is removed or the service has recovered.',
    ends: 'settled',
    waitReason: null,
  };
}

export function pauseGate({ tier, projectName, pauses }: StartFacts): ClosedGate | null {
  const pause = pauses.find((each) => each.scope !== 'tier' || each.tier === tier);
  if (!pause) return null;
  return {
    code: 'PAUSED',
    because: `${pausedThing(pause, projectName)} is paused by ${pause.by}`,
    remedy: 'Resume it first.',
    ends: 'passes',
    waitReason: 'pause',
  };
}

function pausedThing(pause: PauseFact, projectName: string): string {
  if (pause.scope === 'organization') return pause.name ?? 'the organization';
  return pause.scope === 'project' ? projectName : `tier ${pause.tier} of ${projectName}`;
}
