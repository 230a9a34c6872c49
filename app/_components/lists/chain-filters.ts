import { ATTEMPT_ENDS } from '@/lib/agents/attempt-end';
import { CHAIN_TRIGGERS, SESSION_STATUSES } from '@/lib/engine/statuses';
import { chainStateFilterSchema } from '@/lib/insight/chains/schema';
import { HOP_FILTERS, type HopFilter } from '@/lib/insight/sessions/schema';
import { choiceParam, idParam, type Params, textParam, tierParam } from './list-params';

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
  };
}

/** How the filter by the kind of escalation is named above a list. */
export const HOP_WORDS: Record<HopFilter, string> = {
  any: 'Escalated to another tier',
  resume: 'Resumed',
  handoff: 'Handed off',
  fallback: 'Handed off after a failed resume',
};

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
