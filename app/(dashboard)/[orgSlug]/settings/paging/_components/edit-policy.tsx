'use client';

import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { CheckboxGroup } from '@/app/_components/ui/checkbox-group';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Input, Select } from '@/app/_components/ui/input';
import type { PolicyDto } from '@/lib/paging/schema';
import { createPolicy, deletePolicy, updatePolicy } from '../actions';
import {
  NEW_POLICY,
  newStep,
  type PolicyDraft,
  policyDraftOf,
  policyInputOf,
  problemOf,
  type StepDraft,
} from './draft';
import { type Choice, EditForm, type EditFormProps } from './edit-form';

interface EditPolicyProps {
  organizationSlug: string;
  /** Left out: a new one. */
  policy?: PolicyDto;
  policies: readonly PolicyDto[];
  channels: readonly Choice[];
  members: readonly Choice[];
  projects: readonly Choice[];
}

/** A button that opens the form of a policy. */
export function EditPolicy(props: EditPolicyProps) {
  const { organizationSlug, policy, policies, channels, members, projects } = props;
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const taken = policies.filter((each) => each.id !== policy?.id);
  const free = projects.filter(
    ({ id }) => !taken.some(({ projectIds }) => projectIds.includes(id)),
  );
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      title={policy ? `Edit ${policy.name}` : 'Add paging policy'}
      description="Applies to incidents that are announced from now on. A project uses at most one policy."
      trigger={
        policy ? (
          <Button size="icon-sm" aria-label={`Edit ${policy.name}`}>
            <Pencil aria-hidden />
          </Button>
        ) : (
          <Button look="primary" icon={Plus}>
            Add policy
          </Button>
        )
      }
    >
      <PolicyForm
        initial={policy ? policyDraftOf(policy) : NEW_POLICY}
        channels={channels.map(({ id, name }) => ({ id, name }))}
        members={members}
        projects={free}
        submitLabel={policy ? 'Save policy' : 'Add policy'}
        onSubmit={async (draft) => {
          const input = { organizationSlug, ...policyInputOf(draft) };
          const answer = policy
            ? await updatePolicy({ ...input, policyId: policy.id })
            : await createPolicy(input);
          if (!answer.ok) return answer.error;
          setOpen(false);
          router.refresh();
          return null;
        }}
      />
    </Dialog>
  );
}

type DeletePolicyProps = Pick<EditPolicyProps, 'organizationSlug'> & { policy: PolicyDto };

/** A button that deletes a policy, once that is confirmed. */
export function DeletePolicy({ organizationSlug, policy }: DeletePolicyProps) {
  const { id: policyId, name } = policy;
  return (
    <ConfirmDialog
      title={`Delete ${name}`}
      confirmLabel="Delete policy"
      effects={['Nobody is paged for incidents of its projects that are announced afterwards.']}
      trigger={
        <Button size="icon-sm" aria-label={`Delete ${name}`}>
          <Trash2 aria-hidden />
        </Button>
      }
      onConfirm={() => deletePolicy({ organizationSlug, policyId })}
    />
  );
}

interface PolicyFormProps
  extends Pick<EditFormProps<PolicyDraft>, 'initial' | 'submitLabel' | 'onSubmit'> {
  channels: readonly Choice[];
  members: readonly Choice[];
  projects: readonly Choice[];
}

function PolicyForm({ channels, members, projects, ...form }: PolicyFormProps) {
  return (
    <EditForm {...form} id="policy">
      {(draft, change, fields) => (
        <>
          <Steps {...{ draft, change, fields, channels, members }} />
          <div className="grid grid-cols-2 gap-3">
            {(['repeatTimes', 'repeatMinutes'] as const).map((field) => (
              <Field
                key={field}
                id={`policy-${field}`}
                label={
                  field === 'repeatTimes' ? 'Repeats of the last step' : 'Minutes between repeats'
                }
                error={problemOf(fields, field) ?? null}
              >
                <Input
                  type="number"
                  value={draft[field]}
                  onChange={(event) => change({ [field]: event.target.value })}
                />
              </Field>
            ))}
          </div>
          <CheckboxGroup
            legend="Projects that use it"
            choices={projects.map(({ id, name }) => ({ value: id, label: name }))}
            chosen={draft.projectIds}
            onChange={(projectIds) => change({ projectIds })}
            error={problemOf(fields, 'projectIds')}
            className="sm:grid-cols-2"
          />
        </>
      )}
    </EditForm>
  );
}

interface StepsProps {
  draft: PolicyDraft;
  change: (change: Partial<PolicyDraft>) => void;
  fields: Readonly<Record<string, string>>;
  channels: readonly Choice[];
  members: readonly Choice[];
}

function Steps({ draft, change, fields, channels, members }: StepsProps) {
  const { steps } = draft;
  const last = Number(steps.at(-1)?.afterMinutes) || 0;
  const set = (key: string, changed: Partial<StepDraft>) =>
    change({ steps: steps.map((step) => (step.key === key ? { ...step, ...changed } : step)) });
  const problem = fields.steps;
  return (
    <>
      {steps.map((step, index) => (
        <fieldset key={step.key} className="flex flex-col gap-3 border-line border-t pt-3">
          <legend className="sr-only">Step {index + 1}</legend>
          <div className="flex items-end gap-3">
            <Field
              id={`policy-step-${step.key}-minutes`}
              label={`Step ${index + 1}: minutes after the incident was announced`}
              error={problemOf(fields, `steps.${index}.afterMinutes`) ?? null}
              className="flex-1"
            >
              <Input
                type="number"
                value={step.afterMinutes}
                onChange={(event) => set(step.key, { afterMinutes: event.target.value })}
              />
            </Field>
            {steps.length > 1 ? (
              <Button
                size="icon"
                aria-label={`Remove step ${index + 1}`}
                onClick={() => change({ steps: steps.filter(({ key }) => key !== step.key) })}
              >
                <Trash2 aria-hidden />
              </Button>
            ) : null}
          </div>
          <Field id={`policy-step-${step.key}-on-call`} label="Notify">
            <Select
              value={step.isOnCall ? 'on_call' : ''}
              onChange={(event) => set(step.key, { isOnCall: event.target.value !== '' })}
            >
              <option value="">The channels and members below</option>
              <option value="on_call">Whoever a calendar says is on call</option>
            </Select>
          </Field>
          {step.isOnCall ? (
            <Field
              id={`policy-step-${step.key}-calendar`}
              label="Secret iCal address"
              hint={
                step.calendar
                  ? `Leave it empty to keep ${step.calendar.name}.`
                  : 'As PagerDuty, Opsgenie or Google Calendar shows it.'
              }
              error={problemOf(fields, `steps.${index}.calendarUrl`) ?? null}
            >
              <Input
                autoComplete="off"
                value={step.calendarUrl}
                onChange={(event) => set(step.key, { calendarUrl: event.target.value })}
              />
            </Field>
          ) : null}
          <CheckboxGroup
            legend={step.isOnCall ? 'Channels when the calendar leads to nobody' : 'Channels'}
            choices={channels.map(({ id, name }) => ({ value: id, label: name }))}
            chosen={step.channelIds}
            onChange={(channelIds) => set(step.key, { channelIds })}
            error={problemOf(fields, `steps.${index}.channelIds`)}
            className="sm:grid-cols-2"
          />
          <CheckboxGroup
            legend={
              step.isOnCall
                ? 'Members by e-mail when the calendar leads to nobody'
                : 'Members by e-mail'
            }
            choices={members.map(({ id, name }) => ({ value: id, label: name }))}
            chosen={step.memberIds}
            onChange={(memberIds) => set(step.key, { memberIds })}
            error={problemOf(fields, `steps.${index}.memberIds`)}
            className="sm:grid-cols-2"
          />
        </fieldset>
      ))}
      {problem ? <FieldError id="policy-steps-error" errors={[problem]} /> : null}
      <Button
        size="sm"
        className="self-start"
        onClick={() => change({ steps: [...steps, newStep(crypto.randomUUID(), last + 15)] })}
        icon={Plus}
      >
        Add step
      </Button>
    </>
  );
}
