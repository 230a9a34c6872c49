import {
  Archive,
  ArrowDownToLine,
  ArrowUpRight,
  Ban,
  BellOff,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  CirclePlus,
  CircleQuestionMark,
  CircleStop,
  CircleX,
  Clock,
  Coins,
  Eye,
  FileJson,
  FileX,
  FolderSync,
  Gauge,
  GitFork,
  Hand,
  HardDrive,
  History,
  Hourglass,
  KeyRound,
  LoaderCircle,
  type LucideIcon,
  MessageCircleQuestionMark,
  OctagonAlert,
  OctagonX,
  Plug,
  RotateCw,
  ScanSearch,
  ScrollText,
  Send,
  Server,
  ServerCrash,
  ShieldMinus,
  ShieldX,
  SkipForward,
  Timer,
  TimerOff,
  TriangleAlert,
  Unplug,
  Wrench,
} from 'lucide-react';
import type { Tone } from './tone';

export interface StateLook {
  word: string;
  icon: LucideIcon;
  tone: Tone;
}

function look(word: string, icon: LucideIcon, tone: Tone): StateLook {
  return { word, icon, tone };
}

const queued = look('Queued', CircleDashed, 'idle');
const waiting = look('Waiting', Hourglass, 'wait');
const running = look('Running', LoaderCircle, 'run');
const stopping = look('Stopping', CircleStop, 'wait');
const stopped = look('Stopped', CircleStop, 'idle');
const failed = look('Failed', CircleX, 'bad');
const lost = look('Lost', Unplug, 'bad');
const completed = look('Completed', CircleCheck, 'ok');
const timedOut = look('Timed out', TimerOff, 'bad');
const refused = look('Refused', ShieldX, 'bad');

/** Every state there is, by what it is a state of. */
export const states = {
  project: {
    setup: look('Setting up', CircleDashed, 'idle'),
    active: look('Active', CircleCheck, 'ok'),
    paused: look('Paused', CirclePause, 'idle'),
    budget_stopped: look('Stopped by budget', Gauge, 'bad'),
  },
  /** While it moves, and once it has ended its outcome. */
  chain: {
    queued,
    waiting,
    running,
    stopping,
    healthy: look('Healthy', CircleCheck, 'ok'),
    findings: look('Findings, no action', Eye, 'wait'),
    fixed: look('Fixed', Wrench, 'ok'),
    suppressed: look('Suppressed', ShieldMinus, 'wait'),
    needs_human: look('Needs a human', Hand, 'bad'),
    failed,
    lost,
    stopped,
    skipped: look('Skipped', SkipForward, 'idle'),
  },
  session: {
    queued,
    waiting,
    running,
    stopping,
    stopped,
    failed,
    lost,
    completed,
    escalated: look('Escalated', ArrowUpRight, 'idle'),
    timed_out: timedOut,
    refused: look('Not started', ShieldX, 'bad'),
  },
  /** Of its turn that moves; one at rest has none. */
  conversation: {
    waiting,
    answering: look('Answering', LoaderCircle, 'run'),
    asking: look('Waiting for an answer', MessageCircleQuestionMark, 'wait'),
  },
  attempt: {
    queued,
    claimed: look('Claimed', Server, 'idle'),
    starting: look('Starting', CircleDot, 'run'),
    running,
    stopping,
    completed,
    resume_rejected: look('Resume rejected', GitFork, 'wait'),
    context_exhausted: look('Context full', Gauge, 'wait'),
    history_unreplayable: look('History can’t be replayed', History, 'wait'),
    work_dir_changed: look('Work directory changed', FolderSync, 'wait'),
    transcript_changed: look('Transcript changed', ShieldX, 'bad'),
    seal_unavailable: look('Sealed copy unavailable', ServerCrash, 'wait'),
    agent_changed: look('Agent changed', RotateCw, 'wait'),
    auth: look('Not authorized', KeyRound, 'bad'),
    rate_limited: look('Rate limited', Timer, 'wait'),
    overloaded: look('Provider overloaded', Timer, 'wait'),
    max_turns: look('Turn limit', Ban, 'bad'),
    max_budget: look('Budget limit', Coins, 'bad'),
    stalled: look('Stalled', Hourglass, 'bad'),
    timed_out: timedOut,
    stopped,
    killed: look('Killed', OctagonX, 'bad'),
    crashed: look('Crashed', ServerCrash, 'bad'),
    lost,
    start_failed: look('Couldn’t start', ShieldX, 'bad'),
    report_missing: look('No report', FileX, 'wait'),
    unreachable: look('Provider unreachable', Unplug, 'wait'),
    bad_request: look('Refused by the API', CircleX, 'bad'),
    refused_by_model: look('Refused by the model', Ban, 'bad'),
    disk_full: look('Disk full', HardDrive, 'bad'),
    unknown: look('Unknown end', CircleQuestionMark, 'bad'),
  },
  decision: {
    fresh: look('Fresh start', CirclePlus, 'idle'),
    transcript: look('Whole transcript', ScrollText, 'idle'),
    resume: look('Resumed', GitFork, 'idle'),
    handoff: look('Handoff', FileJson, 'idle'),
    wait: waiting,
    reconcile: look('Observe-only check first', ScanSearch, 'wait'),
    refuse: refused,
  },
  service: {
    healthy: look('Healthy', CircleCheck, 'ok'),
    degraded: look('Degraded', TriangleAlert, 'wait'),
    down: look('Down', CircleX, 'bad'),
    unknown: look('Not checked', CircleQuestionMark, 'idle'),
  },
  runner: {
    never_connected: look('Never connected', Plug, 'idle'),
    online: look('Online', CircleCheck, 'ok'),
    busy: look('Busy', LoaderCircle, 'run'),
    draining: look('Draining', ArrowDownToLine, 'wait'),
    offline: look('Offline', Unplug, 'bad'),
    stale: look('Stale', Archive, 'idle'),
    revoked: look('Revoked', Ban, 'idle'),
  },
  webhook_endpoint: {
    active: look('Active', CircleCheck, 'ok'),
    failing: look('Failing', TriangleAlert, 'wait'),
    disabled_auto: look('Disabled after 5 days of failures', OctagonAlert, 'bad'),
    disabled: look('Disabled', CirclePause, 'idle'),
  },
  notification_channel: {
    active: look('Active', CircleCheck, 'ok'),
    failing: look('Failing', TriangleAlert, 'wait'),
    disabled_auto: look('Disabled after 5 days of failures', OctagonAlert, 'bad'),
    disabled_rejected: look('Disabled by its target', OctagonAlert, 'bad'),
    muted: look('Muted', BellOff, 'idle'),
  },
  delivery: {
    scheduled: look('Scheduled', Clock, 'idle'),
    sending: look('Sending', Send, 'run'),
    delivered: look('Delivered', CircleCheck, 'ok'),
    retrying: look('Retry', RotateCw, 'wait'),
    exhausted: look('Gave up', CircleX, 'bad'),
    refused: look('Refused', ShieldX, 'bad'),
    cancelled: look('Cancelled', CircleStop, 'idle'),
  },
  incident: {
    open: look('Open', OctagonAlert, 'bad'),
    acknowledged: look('Acknowledged', Hand, 'wait'),
    verifying: look('Verifying', ScanSearch, 'wait'),
    resolved: look('Resolved', CircleCheck, 'ok'),
  },
  alert_source: {
    active: look('Active', CircleCheck, 'ok'),
    disabled: look('Disabled', CirclePause, 'idle'),
  },
  alert_delivery: {
    received: look('Received', Clock, 'idle'),
    processed: look('Processed', CircleCheck, 'ok'),
    unparsed: look('Not readable', TriangleAlert, 'wait'),
    rejected: look('Rejected', CircleX, 'bad'),
  },
  alert: {
    firing: look('Firing', OctagonAlert, 'bad'),
    resolved: look('Reported as resolved', CircleCheck, 'idle'),
    stale: look('Stale', CircleQuestionMark, 'wait'),
  },
  /** A refusal is a decision, not a failure. */
  approval: {
    pending: look('Pending', Hourglass, 'wait'),
    approved: look('Approved', CircleCheck, 'ok'),
    refused: look('Refused', ShieldX, 'idle'),
    expired: look('Expired', TimerOff, 'bad'),
    withdrawn: look('Withdrawn', CircleStop, 'idle'),
  },
} as const satisfies Record<string, Record<string, StateLook>>;

export type StatusKind = keyof typeof states;
export type StateOf<Kind extends StatusKind> = keyof (typeof states)[Kind] & string;

/** How a state looks; a state that this version of the page does not know yet shows its key. */
export function stateLook(kind: StatusKind, state: string): StateLook {
  const known: Record<string, StateLook> = states[kind];
  return known[state] ?? look(state.replaceAll('_', ' '), CircleQuestionMark, 'idle');
}
