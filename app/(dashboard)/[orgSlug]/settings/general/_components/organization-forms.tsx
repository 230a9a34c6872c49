'use client';

import { Lock, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useState,
  useTransition,
} from 'react';
import { toast } from 'sonner';
import type { ActionError } from '@/app/_actions/result';
import { useProof } from '@/app/_components/proof/use-proof';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { PendingButton } from '@/app/_components/ui/spinner';
import type { ChangeOrganizationInput } from '@/lib/identity/organizations/schema';
import type { DeletionImpact } from '@/lib/identity/organizations/service';
import { formatCounted } from '@/lib/platform/format/count';
import { splitVersionList } from '@/lib/platform/version-list';
import { NeedsRole } from '../../../_components/needs-role';
import type { Refusal } from '../../../_components/permission';
import { changeOrganization, deleteOrganization, requireSecondFactor } from '../actions';

interface OrganizationFieldsProps {
  organizationSlug: string;
  name: string;
  slug: string;
  /** Why the reader may not change them. */
  refusal: Refusal;
}

export function OrganizationFields(props: OrganizationFieldsProps) {
  const { organizationSlug, refusal } = props;
  const router = useRouter();
  const [name, setName] = useState(props.name);
  const [slug, setSlug] = useState(props.slug);
  const [error, setError] = useState<ActionError | null>(null);
  const [isPending, startTransition] = useTransition();
  const fields = error?.fields ?? {};
  const isUnchanged = name === props.name && slug === props.slug;
  const isMoving = slug !== props.slug;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending || isUnchanged) return;
    const form = event.currentTarget;
    startTransition(async () => {
      // Without an answer it has led to the new address.
      const answer = await changeOrganization({ organizationSlug, name, slug });
      setError(answer && !answer.ok ? answer.error : null);
      if (!answer || answer.ok) {
        toast.success('Organization saved.');
        router.refresh();
        return;
      }
      const { name: wrongName, slug: wrongSlug } = answer.error.fields;
      if (!wrongName && !wrongSlug) return;
      form.querySelector<HTMLElement>(wrongName ? '#org-name' : '#org-slug')?.focus();
    });
  }

  return (
    <form noValidate onSubmit={submit} className="flex max-w-120 flex-col gap-4">
      <Field id="org-name" label="Name" error={fields.name}>
        <Input
          readOnly={refusal !== null}
          autoComplete="organization"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field
        id="org-slug"
        label="Short name"
        hint="Used in URLs. Links with the old name stop working."
        error={fields.slug}
      >
        <Input
          readOnly={refusal !== null}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          value={slug}
          onChange={(event) => setSlug(event.target.value)}
        />
      </Field>
      {isMoving ? (
        <p className="rounded-control bg-wait-bg px-3 py-2 text-ui text-wait-fg">
          Bookmarks and links that begin with /{props.slug} stop working, including links in
          messages already sent. Runners, tokens and webhooks keep working.
        </p>
      ) : null}
      <FormProblem text={error && Object.keys(fields).length === 0 ? error.message : null} />
      <div className="flex justify-start">
        <NeedsRole refusal={refusal} label="Save">
          <PendingButton
            type="submit"
            look="primary"
            isPending={isPending}
            aria-disabled={isUnchanged || undefined}
          >
            Save
          </PendingButton>
        </NeedsRole>
      </div>
    </form>
  );
}

interface SecondFactorRequirementProps {
  organizationSlug: string;
  isRequired: boolean;
  /** Members who have no second factor. */
  without: number;
}

/** Turns the requirement on or off. */
export function SecondFactorRequirement(props: SecondFactorRequirementProps) {
  const { organizationSlug, isRequired, without } = props;
  const proof = useProof();
  const title = isRequired ? 'Stop requiring a second factor' : 'Require a second factor';

  const change = () =>
    proof.run(() => requireSecondFactor({ organizationSlug, isRequired: !isRequired }));

  return (
    <>
      {proof.dialog}
      <ConfirmDialog
        trigger={<Button>{title}</Button>}
        title={title}
        confirmLabel={title}
        look={isRequired ? 'danger' : 'primary'}
        effects={
          isRequired
            ? ['Members can sign in here with a password or a provider alone.']
            : [
                without === 0
                  ? 'Every member has a second factor.'
                  : `${without === 1 ? '1 member has' : `${without} members have`} no second factor and can’t open anything here until they set one up.`,
                'API tokens and runners keep working: they have their own keys.',
              ]
        }
        done={isRequired ? 'A second factor is optional now.' : 'A second factor is required.'}
        onConfirm={change}
      />
    </>
  );
}

interface DeleteOrganizationProps {
  organizationSlug: string;
  name: string;
  impact: DeletionImpact;
}

export function DeleteOrganization({ organizationSlug, name, impact }: DeleteOrganizationProps) {
  const { projects, chains, members, runners, tokens } = impact;
  const proof = useProof();
  return (
    <>
      {proof.dialog}
      <ConfirmDialog
        trigger={
          <Button look="danger" icon={Trash2}>
            Delete {name}
          </Button>
        }
        title={`Delete ${name}`}
        confirmLabel={`Delete ${name}`}
        typeToConfirm={organizationSlug}
        effects={[
          `${formatCounted(projects, 'project')} and ${formatCounted(chains, 'chain')} with their sessions, logs and costs are deleted.`,
          `${formatCounted(runners, 'runner')} and ${formatCounted(tokens, 'API token')} stop working.`,
          `${members === 1 ? 'You are its only member.' : `${members} members lose access, including you.`}`,
          'This cannot be undone.',
        ]}
        onConfirm={() =>
          proof.run(() => deleteOrganization({ organizationSlug, confirmSlug: organizationSlug }))
        }
      />
    </>
  );
}

interface SettingProps {
  organizationSlug: string;
  /** Why the reader may not change it. */
  refusal: Refusal;
}

interface DeniedVersionsFormProps extends SettingProps {
  versions: readonly string[];
  /** Denied for every organization by the operator. */
  installationVersions: readonly string[];
}

export function DeniedVersionsForm(props: DeniedVersionsFormProps) {
  const { versions, installationVersions, ...rest } = props;
  return (
    <SettingForm
      {...rest}
      id="denied-cli-versions"
      label="Versions"
      hint="Separated by commas. 2.1.197 denies that version, <2.1.330 every version before it. A runner with a denied version doesn’t start Claude Code. Running attempts aren’t stopped."
      saved={versions.join(', ')}
      changesOf={(text) => ({ deniedCliVersions: splitVersionList(text) })}
      input={{ spellCheck: false, className: 'font-mono' }}
      submitLabel="Update versions"
      savedText="Denied versions saved."
    >
      {installationVersions.length > 0 ? (
        <p className="flex items-center gap-2 text-ui">
          <Lock aria-hidden className="size-4 shrink-0 text-text-3" />
          <span>
            TIERWATCH_DENIED_CLI_VERSIONS also denies{' '}
            <span className="font-mono">{installationVersions.join(', ')}</span>.
          </span>
        </p>
      ) : null}
    </SettingForm>
  );
}

export function LogRetentionForm({ days, ...rest }: SettingProps & { days: number }) {
  return (
    <SettingForm
      {...rest}
      id="log-retention-days"
      label="Days"
      hint="How long a session’s log is kept after the session ends. Logs are deleted by the week, so up to 7 days later. Reports, costs and decisions are kept. If you shorten it, older logs are deleted within the hour."
      saved={String(days)}
      changesOf={(text) => ({ logRetentionDays: text.trim() === '' ? Number.NaN : Number(text) })}
      input={{ inputMode: 'numeric', className: 'max-w-24 font-mono' }}
      submitLabel="Save retention"
      savedText="Retention saved."
    />
  );
}

interface SettingFormProps extends SettingProps {
  id: string;
  label: string;
  hint: string;
  /** As it is written in the input. */
  saved: string;
  /** What a text sets: one field. */
  changesOf: (text: string) => ChangeOrganizationInput;
  input: ComponentProps<typeof Input>;
  submitLabel: string;
  savedText: string;
  /** Between the input and the button. */
  children?: ReactNode;
}

/** A form of one setting of the organization. */
function SettingForm(props: SettingFormProps) {
  const { organizationSlug, refusal, id, saved, changesOf, submitLabel } = props;
  const router = useRouter();
  const [text, setText] = useState(saved);
  const [error, setError] = useState<ActionError | null>(null);
  const [isPending, startTransition] = useTransition();
  const changes = changesOf(text);
  const isUnchanged = JSON.stringify(changes) === JSON.stringify(changesOf(saved));
  // A list names the item that is wrong: `deniedCliVersions.1`.
  const [wrong] = Object.values(error?.fields ?? {});

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending || isUnchanged) return;
    const form = event.currentTarget;
    startTransition(async () => {
      const answer = await changeOrganization({ organizationSlug, ...changes });
      setError(answer && !answer.ok ? answer.error : null);
      if (!answer || answer.ok) {
        toast.success(props.savedText);
        router.refresh();
      } else {
        form.querySelector<HTMLElement>(`#${id}`)?.focus();
      }
    });
  }

  return (
    <form noValidate onSubmit={submit} className="flex max-w-120 flex-col gap-4">
      <Field id={id} label={props.label} hint={props.hint} error={wrong}>
        <Input
          {...props.input}
          readOnly={refusal !== null}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      {props.children}
      <FormProblem text={error && !wrong ? error.message : null} />
      <div className="flex justify-start">
        <NeedsRole refusal={refusal} label={submitLabel}>
          <PendingButton
            type="submit"
            look="primary"
            isPending={isPending}
            aria-disabled={isUnchanged || undefined}
          >
            {submitLabel}
          </PendingButton>
        </NeedsRole>
      </div>
    </form>
  );
}
