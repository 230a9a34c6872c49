/** Plans what a due slot leads to. Pure: it depends only on the facts about its project. */

import { z } from 'zod';
import { maintenanceSchema, type OpenWindow } from '@/lib/projects/maintenance/schema';
import { openWindow } from '@/lib/projects/maintenance/window';
import { missedSlots, nextRunAt } from '@/lib/projects/schedules/next-run';
import { scheduleSchema } from '@/lib/projects/schedules/schema';
import { budgetsSchema, projectConfigSchema } from '@/lib/projects/schema';
import type { PauseFact } from '../attempt/holds';
import { budgetFacts, type Spending } from '../budget';
import { closedGate } from '../start-policy/closed-gate';
import { NOTHING_HOLDS, type StartFacts } from '../start-policy/facts';
import type { ClosedGate } from '../start-policy/gate';
import { type NewChain, newChain } from './new-chain';

/**
 * The part of a configuration that a slot needs. When thousands of projects were due at once,
 * parsing the whole configuration took most of the time.
 */
export const slotConfigSchema = z.object({
  schedule: scheduleSchema,
  budgets: budgetsSchema,
  maintenance: maintenanceSchema,
  runnerPool: projectConfigSchema.shape.runnerPool,
  /** Model of tier 1. */
  model: projectConfigSchema.shape.tiers.def.items[0].shape.model,
});
type SlotConfig = z.infer<typeof slotConfigSchema>;

export interface DueSlot {
  projectId: string;
  organizationId: string;
  projectName: string;
  dueAt: Date;
  projectVersion: number;
  config: SlotConfig;
  pauses: readonly PauseFact[];
  /** Null if the organization has no pool of that name. */
  poolId: string | null;
  /** Number of the chain that still runs. */
  liveNumber: number | null;
  spending: Spending;
}

export interface SlotPlan {
  projectId: string;
  /** Null: nothing more is scheduled. */
  nextRunAt: Date | null;
  chain: NewChain | null;
  /** Slots before this one that were missed, oldest first. */
  missed: readonly Date[];
  /** The maintenance window that keeps the chain from starting; null without one. */
  held: { window: OpenWindow; isFirst: boolean } | null;
}

/**
 * Plans a slot. A paused project gets no chains, and neither does one in a maintenance window that
 * suspends them. After a downtime only the newest missed slot runs.
 */
export function planSlot(slot: DueSlot, now: Date): SlotPlan {
  const { projectId, config, dueAt } = slot;
  const next = nextRunAt(config.schedule, now);
  const nothing = { projectId, nextRunAt: next, chain: null, missed: [], held: null };
  const window = openWindow(config.maintenance, now);
  const gate = closedGate(startFacts(slot, window), now);
  if (gate?.code === 'PAUSED') return nothing;
  if (gate?.code === 'MAINTENANCE' && window) {
    // Only the first slot of the window adds a feed entry.
    const first = nextRunAt(config.schedule, new Date(window.startsAt.getTime() - 1));
    return { ...nothing, held: { window, isFirst: first !== null && dueAt <= first } };
  }
  const { newest, missed } = missedSlots(config.schedule, dueAt, now);
  return { ...nothing, chain: chainOf(slot, newest ?? dueAt, gate), missed };
}

function startFacts(
  { projectName, pauses, liveNumber, poolId, spending, config }: DueSlot,
  maintenance: OpenWindow | null,
): StartFacts {
  return {
    ...NOTHING_HOLDS,
    tier: 1,
    projectName,
    pauses,
    maintenance,
    liveChain: liveNumber,
    budgets: budgetFacts(spending, { ...config.budgets, chainUsd: null }),
    missingPool: poolId === null ? config.runnerPool : null,
  };
}

function chainOf(slot: DueSlot, slotAt: Date, gate: ClosedGate | null): NewChain {
  return newChain({
    organizationId: slot.organizationId,
    projectId: slot.projectId,
    slotAt: slotAt.toISOString(),
    trigger: 'schedule',
    projectVersion: slot.projectVersion,
    model: slot.config.model,
    poolId: slot.poolId ?? slot.projectId,
    skipped: gate && { code: gate.code, text: skipText(gate, slotAt) },
  });
}

function skipText({ because, remedy }: ClosedGate, slotAt: Date): string {
  return `Skipped at ${slotAt.toISOString().slice(11, 16)} UTC: ${because}. ${remedy}`;
}
