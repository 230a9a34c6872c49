import type { StateOf, StatusKind } from '@/app/_components/status/states';
import { OFFLINE_AFTER_SECONDS, STALE_DAYS } from '@/lib/fleet/status';

/** What each state means, in a line. A state without one does not compile. */
export const MEANINGS: { [Kind in StatusKind]: Record<StateOf<Kind>, string> } = {
  project: {
    setup: 'No chain has run yet.',
    active: 'Chains start on schedule.',
    paused: 'Nothing starts until someone resumes it.',
    budget_stopped: 'A budget is used up. The page says when the next period starts.',
  },
  chain: {
    queued: 'Created, not started yet.',
    waiting: 'Waiting for a runner. The page says which and why.',
    running: 'A tier is running.',
    stopping: 'Someone stopped it, and its process is being ended.',
    healthy: 'Every service is healthy.',
    findings: 'A tier reported something that needs no action.',
    fixed: 'A tier reported a fix, and the checks at the end of the chain passed.',
    suppressed:
      'It would have escalated, but for a dry run, a pause, a snooze, an acknowledgement or a maintenance window.',
    needs_human:
      'It can’t continue without a person: maximum tier, cooldown, budget, unresolved, or an unfinished remediation.',
    failed: 'A process failed and could not be repeated.',
    lost: 'The runner stopped responding. What its agent did is unknown, so tiers 2 and 3 aren’t repeated.',
    stopped: 'Someone stopped it.',
    skipped: 'Its slot was due while another chain was still running.',
  },
  session: {
    queued: 'Created, not started yet.',
    waiting: 'Waiting for a runner.',
    running: 'Its process is running.',
    stopping: 'Its process is being ended.',
    stopped: 'Someone stopped it.',
    failed: 'Its last attempt failed.',
    lost: 'Its runner stopped responding. An observe-only check may have followed.',
    completed: 'The tier reported and is done.',
    escalated: 'The next tier started.',
    timed_out: 'It reached its time limit.',
    refused: 'Not started, because a check of the decision failed.',
  },
  conversation: {
    waiting: 'A turn is waiting for a runner.',
    answering: 'An agent is answering.',
    asking: 'The agent asked a question, and its process is waiting for the answer.',
  },
  attempt: {
    queued: 'Waiting for a runner to claim it.',
    claimed: 'A runner claimed it.',
    starting: 'The process is being started.',
    running: 'The process is running.',
    stopping: 'The process is being ended.',
    completed: 'The process ended with a valid report.',
    resume_rejected: 'The CLI doesn’t know the conversation. Started again from the handoff.',
    context_exhausted: 'The conversation is too long. Started again from the handoff.',
    history_unreplayable: 'The provider refused the conversation. Started again from the handoff.',
    work_dir_changed:
      'The work directory isn’t the one of the conversation. Started again from the handoff.',
    agent_changed:
      'The agent’s program or account on the host changed after the decision. Started again with the new one.',
    transcript_changed:
      'The stored conversation was changed after its process ended. Started from the handoff.',
    seal_unavailable:
      'The conversation of another host couldn’t be opened here. Started from the handoff.',
    auth: 'The provider refused the key.',
    rate_limited: 'The provider’s limit is reached.',
    overloaded: 'The provider is overloaded.',
    max_turns: 'The turn limit was reached.',
    max_budget: 'The budget of the process was reached.',
    stalled:
      'No event arrived within the stall timeout, so the process was stopped. If all its calls had ended, it is continued once in its own conversation.',
    timed_out: 'The time limit was reached.',
    stopped: 'Someone stopped it.',
    killed: 'Something outside of Tierwatch killed the process.',
    crashed: 'The process exited without a result.',
    lost: 'The runner stopped responding while the attempt may have been running.',
    start_failed: 'The process could not be started.',
    report_missing: 'The process ended without a valid report.',
    unreachable: 'The provider can’t be reached.',
    bad_request: 'The provider refused the request.',
    refused_by_model: 'The model refused to continue.',
    disk_full: 'The runner’s disk is full.',
    unknown: 'None of the above.',
  },
  decision: {
    fresh: 'A new conversation, because there is none before it.',
    transcript: 'Starts with the whole conversation as text.',
    resume: 'Continues the conversation of the tier before.',
    handoff: 'Starts from the validated handoff.',
    wait: 'Waits for the host that holds the conversation, or for a runner with an allowed version of the CLI.',
    reconcile: 'An observe-only attempt first checks what an unfinished one may have changed.',
    refuse: 'Not started. The reason says why.',
  },
  service: {
    healthy: 'Healthy in the last chain.',
    degraded: 'Partly working in the last chain.',
    down: 'Not working in the last chain.',
    unknown: 'Not checked yet, or a check couldn’t run.',
  },
  runner: {
    never_connected: 'Enrolled, but never connected.',
    online: 'Connected, with free slots.',
    busy: 'Connected, with attempts running.',
    draining: 'Finishes its attempts and claims no new ones.',
    offline: `No heartbeat for ${OFFLINE_AFTER_SECONDS} s.`,
    stale: `No heartbeat for ${STALE_DAYS} days.`,
    revoked: 'Its key is refused permanently.',
  },
  webhook_endpoint: {
    active: 'Receives its events.',
    failing: 'Its last deliveries failed and are retried.',
    disabled_auto:
      'Disabled after five days of failures. Nothing is sent until someone enables it.',
    disabled: 'Someone turned it off.',
  },
  notification_channel: {
    active: 'Receives its messages.',
    failing: 'Its last messages failed and are retried.',
    disabled_auto:
      'Disabled after five days of failures. Nothing is sent until someone turns it on.',
    disabled_rejected:
      'Its target answered that it is gone or refuses every message. Fix it there, then switch the channel on.',
    muted: 'Someone turned it off.',
  },
  delivery: {
    scheduled: 'Its first attempt is due.',
    sending: 'An attempt is in progress.',
    delivered: 'The receiver answered 2xx.',
    retrying: 'An attempt failed, and the next one is scheduled.',
    exhausted: 'Every attempt failed. Replay sends it again.',
    refused:
      'The address isn’t allowed, or the recipient refused the message for good. Not retried.',
    cancelled:
      'Its recipient was turned off or deleted, or a newer state of the outage superseded it.',
  },
  incident: {
    open: 'Something fails, and nobody is working on it.',
    acknowledged: 'A person is working on it, until the acknowledgement ends.',
    verifying: 'All of its services are healthy again, but not for long enough to be sure.',
    resolved:
      'Its services stayed healthy for the whole verification, nothing checks them anymore, or a person resolved or merged it.',
  },
  alert_source: {
    active: 'Its alerts are accepted.',
    disabled: 'Someone turned it off. What it sends is rejected.',
  },
  alert_delivery: {
    received: 'Stored, and processed within seconds.',
    processed: 'Its alerts were applied, or it was a test or an event without news.',
    unparsed: 'Stored, but it isn’t an alert to Tierwatch. Set the mapping of its source.',
    rejected: 'Not accepted. Its line says why.',
  },
  alert: {
    firing: 'The source reports it.',
    resolved: 'The source reports its end, which is no proof of a recovery.',
    stale: 'The source stopped reporting about it, so nobody knows how it ended.',
  },
  approval: {
    pending: 'Waiting for a person to decide.',
    approved: 'Enough people approved it. It can be used once, until it expires.',
    refused:
      'Someone refused it, so it doesn’t happen. It stays refused in the incident until someone allows it again.',
    expired: 'Nobody decided in time, so it doesn’t happen.',
    withdrawn: 'The agent or its chain ended before anyone decided.',
  },
};

export const KIND_TITLES: Record<StatusKind, string> = {
  project: 'Project',
  chain: 'Chain: status, then outcome',
  session: 'Session',
  conversation: 'Conversation',
  attempt: 'Attempt: status, then end',
  decision: 'Decision: how a session starts',
  service: 'Service and check',
  runner: 'Runner',
  webhook_endpoint: 'Webhook endpoint',
  notification_channel: 'Notification channel',
  delivery: 'Delivery',
  incident: 'Incident',
  alert_source: 'Alert source',
  alert_delivery: 'Request of an alert source',
  alert: 'Alert',
  approval: 'Approval',
};
