import type { OrganizationPlots, ProjectPlots } from '@/lib/insight/analytics/get-plots';
import type { PlotView } from '../plot-view';
import { escalationView, hopsView, outcomesView } from './chain-views';
import { costView, recoveryView, slotsView, waitView } from './measure-views';
import type { PlotPlace } from './place';

type Place = Omit<PlotPlace, 'frame'>;

/** In the order of the dashboard. */
export function projectViews(base: Place, plots: ProjectPlots): PlotView[] {
  const place = { ...base, frame: plots.frame };
  return [
    outcomesView(place, plots.outcomes),
    costView(place, plots.cost),
    escalationView(place, plots.escalation),
    hopsView(place, plots.hops),
  ];
}

/** In pairs that are read together: what happened, how it was repaired, what it cost. */
export function organizationViews(base: Place, plots: OrganizationPlots): PlotView[] {
  const place = { ...base, frame: plots.frame };
  return [
    outcomesView(place, plots.outcomes),
    escalationView(place, plots.escalation),
    recoveryView(place, plots.recovery),
    costView(place, plots.cost),
    hopsView(place, plots.hops, plots.escalations),
    waitView(place, plots.wait),
    slotsView(place, plots.slots),
  ];
}
