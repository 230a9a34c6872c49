/** The checklist "Get started": which steps an organization has behind it, from its rows. */
import { type Act, MIN_ROLE } from '@/lib/identity/tenancy/role-matrix';
import { hasRole, type Role } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { type ChecklistFacts, getChecklistFacts } from './checklist-data';

export interface ChecklistStep {
  key: 'runner' | 'chain' | 'notify' | 'tier2' | 'invite';
  title: string;
  text: string;
  isDone: boolean;
  /** Below the organization, such as `/runners`; null while something else has to come first. */
  path: string | null;
  /** The least role for it, if the reader's is below. */
  needs: Role | null;
}

/** Returns the steps in order; null where there is nothing left to show. */
export function checklistOf(facts: ChecklistFacts, role: Role): ChecklistStep[] | null {
  const { project } = facts;
  const step = (
    key: ChecklistStep['key'],
    [title, text]: readonly [string, string],
    [isDone, path, act]: readonly [boolean, string | null, Act],
  ): ChecklistStep => {
    const needs = isDone || hasRole(role, MIN_ROLE[act]) ? null : MIN_ROLE[act];
    return { key, title, text, isDone, path: isDone ? null : path, needs };
  };
  const steps = [
    step(
      'runner',
      ['Connect a runner', 'One command on your host. It only makes outgoing connections.'],
      [facts.hasRunner, '/runners', 'runner.manage'],
    ),
    project
      ? step(
          'chain',
          ['Run the first chain', `Tier 1 checks ${project.name} and reports what it finds.`],
          [facts.hasChain, `/projects/${project.slug}`, 'chain.run'],
        )
      : step(
          'chain',
          ['Run the first chain', 'Create a project: its first chain starts right away.'],
          [facts.hasChain, '/projects/new', 'project.create'],
        ),
    step(
      'notify',
      ['Notify someone', 'Send an e-mail, a chat message or a webhook when a human is needed.'],
      [facts.hasRecipient, '/settings/notifications', 'channel.manage'],
    ),
    step(
      'tier2',
      [
        'Turn on tier 2',
        project
          ? 'Let safe remediation, such as a restart, start automatically.'
          : 'Create a project first. It only observes until you allow more.',
      ],
      [facts.hasTier2, project && tierSwitchPath(project.slug, 2), 'project.change'],
    ),
    step(
      'invite',
      ['Invite a colleague', 'As owner, admin, operator or viewer.'],
      [facts.hasColleague, '/settings/members', 'member.manage'],
    ),
  ];
  return facts.isDismissed || steps.every(({ isDone }) => isDone) ? null : steps;
}

/** Opens the settings of a tier with the question whether to switch it on. */
export function tierSwitchPath(projectSlug: string, tier: 2 | 3): string {
  return `/projects/${projectSlug}/settings/tiers?tier=${tier}&switch=on`;
}

/** The steps of "Get started" for the reader; null once they are done or dismissed. */
export function getChecklist(
  scope: TenantScope,
  now = new Date(),
): Promise<ChecklistStep[] | null> {
  return inTransaction(scope, async (db) => {
    const facts = await getChecklistFacts(db, now);
    return facts ? checklistOf(facts, scope.role) : null;
  });
}
