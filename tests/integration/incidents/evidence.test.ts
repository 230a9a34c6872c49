/** What an incident holds of its chains, on its page, in its post-mortem and in the figures. */
import { expect, it } from 'vitest';
import { acknowledgeIncident } from '@/lib/incidents/manage-incidents';
import { getIncidentFiguresDto } from '@/lib/insight/incident-figures/get-incident-figures';
import { getPostMortem } from '@/lib/insight/incidents/get-post-mortem';
import { getIncidentByNumber, listIncidents } from '@/lib/insight/incidents/list-incidents';
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { ask, decide } from '../engine/support/approving';
import { startWatch } from './support/watching';

useTestDatabase();

const RULE = 'Bash(docker restart {service})';
const ENDED = { exitCode: 0, signal: null, error: null, durationMs: 5, output: '', outputBytes: 0 };

/** A command that the broker ran. */
function ran(number: number, phase: 'started' | 'ended'): BrokeredEvent {
  const argv = ['docker', 'restart', 'web'];
  const end = phase === 'ended' ? ENDED : null;
  return { kind: 'brokered', phase, number, argv, rule: RULE, changes: true, refusal: null, end };
}

it('[INC-2.1] [INC-3.2] [INC-3.3] an incident holds its chain, the approval, the command and the messages', async () => {
  const watch = await startWatch({ maxTier: 2 });
  const { cast } = watch;
  await watch.minute();
  await watch.minutes(2, { web: 'down' });
  await watch.playChain({ report: wantsHelp() });
  const spec = await claimNext(cast.runner, watch.now());
  await ask({ cast, spec }, {}, watch.now());
  await decide(cast.alice, cast, 'approve', watch.now(), 'Go ahead.');
  await ask({ cast, spec }, {}, watch.now());
  const events = [ran(1, 'started'), ran(1, 'ended')];
  await play(cast.runner, spec, { report: { resolved: true }, events }, watch.now());
  const id = (await listIncidents(cast.alice, { limit: 1 })).data[0]?.id ?? '';
  await watch.minute({ web: 'down' });
  await acknowledgeIncident(cast.alice, id, { note: '' }, watch.now());
  await watch.minutes(13);

  const { chains, timeline } = await getIncidentByNumber(cast.alice, cast.projectSlug, 1);
  expect(chains).toMatchObject([{ number: 1, outcome: 'fixed' }]);
  const by = cast.alice.actor.label;
  const about = new Set(['approval', 'chain', 'message']);
  expect(timeline.flatMap(({ text, evidence }) => (about.has(evidence.kind) ? text : []))).toEqual([
    'Chain #1 started.',
    'Chain #1 ended. Tier 2 reported a fix for web. 1 command may have changed something.',
    'Approval requested: docker restart web (tier 2).',
    `${by} approved docker restart web (tier 2). Go ahead.`,
    'Notification “opened”: Apprise to Pager, scheduled.',
    'Notification “resolved”: Apprise to Pager, scheduled.',
  ]);
  const { text } = await getPostMortem(cast.alice, id, watch.now());
  const command = `tier 2, \`docker restart web\`: allowed by rule \`${RULE}\`, exit 0. [Session #2](`;
  expect(text).toContain(command);

  const span = { from: '2026-11-26T00:00:00Z', to: '2026-11-27T00:00:00Z' };
  expect(await getIncidentFiguresDto(cast.alice, span, watch.now())).toMatchObject({
    timeToAcknowledge: { incidents: 1, p50Seconds: 120 },
    fixesByAction: [{ action: RULE, proven: 1 }],
  });
});
