import {
  BellOff,
  Bot,
  CalendarClock,
  CirclePause,
  FlaskConical,
  Timer,
  TriangleAlert,
} from 'lucide-react';
import type { StateLook } from './states';

/** What holds besides a state; each is a chip of its own. */
export const modifiers = {
  dry_run: { word: 'Dry run', icon: FlaskConical, tone: 'wait' },
  demo_agent: { word: 'Demo agent, no model', icon: Bot, tone: 'idle' },
  cooldown: { word: 'In cooldown', icon: Timer, tone: 'idle' },
  snoozed: { word: 'Snoozed', icon: BellOff, tone: 'idle' },
  maintenance: { word: 'Maintenance', icon: CalendarClock, tone: 'idle' },
  tier_paused: { word: 'Paused', icon: CirclePause, tone: 'idle' },
  outdated: { word: 'Outdated', icon: TriangleAlert, tone: 'wait' },
} as const satisfies Record<string, StateLook>;

export type Modifier = keyof typeof modifiers;
