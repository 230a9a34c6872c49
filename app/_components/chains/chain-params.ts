import { CHAIN_TRIGGERS } from '@/lib/engine/statuses';
import { chainStateFilterSchema, HOP_FILTERS } from '@/lib/insight/chains/schema';
import { choiceParam, type Params, textParam, tierParam } from '../lists/list-params';

/** Returns the filters that the address of a list of chains names, apart from its time. */
export function chainFiltersOf(params: Params) {
  return {
    state: choiceParam(params, 'outcome', chainStateFilterSchema.options),
    trigger: choiceParam(params, 'trigger', CHAIN_TRIGGERS),
    service: textParam(params, 'service'),
    tier: tierParam(params),
    hop: choiceParam(params, 'hop', HOP_FILTERS),
    reason: textParam(params, 'reason'),
    escalated: ([2, 3] as const).find((each) => String(each) === params.escalated),
    recovered: params.recovered === '1',
  };
}
