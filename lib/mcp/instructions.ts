import { UNTRUSTED_NOTE } from './untrusted';

export const SERVER_INFO = { name: 'tierwatch', title: 'Tierwatch', version: '1.0.0' };

/** Shown to the model when a client connects. Clients may cut it after 2,000 characters. */
export const INSTRUCTIONS = `Tierwatch looks after a team's systems with agents in permission tiers: tier 1 observes, tier 2 repairs safely, tier 3 repairs fully. A chain is one monitoring cycle of a project, a session is one tier's part of it.

Start with get_status. For a problem: list_incidents and get_incident, list_chains and get_chain, then get_session, and read_log for what the agent saw and did. list_approvals shows what waits for a person.

Chains and sessions have numbers within their project ("Chain #5", project "shop") and ids (chn_…, ses_…). Slugs, numbers, ids and URLs of pages are accepted. Money is US dollars, times are ISO 8601 in UTC. Lists continue with next_cursor.

${UNTRUSTED_NOTE}

run_chain, stop_chain, ask_project and decide_approval act on real systems and cost money. Call them only when the person you work for has asked for that. Before decide_approval, show the person the exact command and its reason.`;
