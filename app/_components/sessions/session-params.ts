import { ATTEMPT_ENDS } from '@/lib/agents/attempt-end';
import { SESSION_STATUSES } from '@/lib/engine/statuses';
import { HOP_FILTERS } from '@/lib/insight/chains/schema';
import { idParam } from '../lists/id-param';
import { choiceParam, type Params, textParam, tierParam } from '../lists/list-params';

/** Returns the filters that the address of a list of sessions names, apart from project and time. */
export function sessionFiltersOf(params: Params) {
  return {
    status: choiceParam(params, 'status', SESSION_STATUSES),
    tier: tierParam(params),
    runner: idParam(params, 'runner', 'rnr'),
    end: choiceParam(params, 'end', ATTEMPT_ENDS),
    hop: choiceParam(params, 'hop', HOP_FILTERS),
    reason: textParam(params, 'reason'),
  };
}
