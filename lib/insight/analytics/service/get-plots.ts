import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { requireProject } from '@/lib/projects/service/resolve-project';
import { sumCosts } from '../cost/data';
import { type CostPlot, costPlot } from '../cost/plot';
import { type EscalationPlot, escalationPlot } from '../escalation/plot';
import { countFixes } from '../fixes/data';
import { type FixesPlot, fixesPlot } from '../fixes/plot';
import type { PlotFrame } from '../frame';
import { countHops } from '../hops/data';
import { type HopsPlot, hopsPlot } from '../hops/plot';
import { makeFrame, type PlotRequest } from '../make-frame';
import { countChains } from '../outcomes/data';
import { type OutcomesPlot, outcomesPlot } from '../outcomes/plot';
import { listOpenOutages, listOutages } from '../recovery/data';
import { type RecoveryPlot, recoveryPlot } from '../recovery/plot';
import { listRunnersOf, sumSlotSeconds } from '../slots/data';
import { type SlotsPlot, slotsPlot } from '../slots/plot';
import { listWaits } from '../wait/data';
import { type WaitPlot, waitPlot } from '../wait/plot';

/** The four of a project's dashboard. */
export interface ProjectPlots {
  frame: PlotFrame;
  outcomes: OutcomesPlot;
  escalation: EscalationPlot;
  cost: CostPlot;
  hops: HopsPlot;
}

/** All eight. */
export interface OrganizationPlots extends ProjectPlots {
  fixes: FixesPlot;
  recovery: RecoveryPlot;
  wait: WaitPlot;
  slots: SlotsPlot;
}

/** Three queries. `project` is a slug or an id; its budget of a day is drawn where columns are days. */
export function getProjectPlots(
  scope: TenantScope,
  request: PlotRequest & { project: string; dayLimitMicros: number | null },
  now = new Date(),
): Promise<ProjectPlots> {
  return inTransaction(scope, async (db) => {
    const { id } = await requireProject(db, request.project);
    const frame = makeFrame(scope, request, id, now);
    return readProjectPlots(db, frame, frame.size === 'day' ? request.dayLimitMicros : null);
  });
}

/** Nine queries, whatever there is. `pool` is the one whose waits are drawn; null: the busiest. */
export function getOrganizationPlots(
  scope: TenantScope,
  request: PlotRequest & { pool: string | null },
  now = new Date(),
): Promise<OrganizationPlots> {
  return inTransaction(scope, async (db) => {
    const frame = makeFrame(scope, request, null, now);
    return {
      ...(await readProjectPlots(db, frame, null)),
      fixes: fixesPlot(frame, await countFixes(db, frame)),
      recovery: recoveryPlot(frame, await listOutages(db, frame), await listOpenOutages(db, frame)),
      wait: waitPlot(frame, await listWaits(db, frame), request.pool),
      slots: slotsPlot(frame, await sumSlotSeconds(db, frame), await listRunnersOf(db, frame)),
    };
  });
}

async function readProjectPlots(
  db: TenantDb,
  frame: PlotFrame,
  dayLimitMicros: number | null,
): Promise<ProjectPlots> {
  const chains = await countChains(db, frame);
  return {
    frame,
    outcomes: outcomesPlot(frame, chains),
    escalation: escalationPlot(frame, chains),
    cost: costPlot(frame, await sumCosts(db, frame), dayLimitMicros),
    hops: hopsPlot(frame, await countHops(db, frame)),
  };
}
