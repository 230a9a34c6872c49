import type { Metadata } from 'next';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Card } from '@/app/_components/ui/card';
import type { PageProps } from '@/app/page-props';
import { requireMember } from '@/lib/identity/auth/current-user';
import { countWithoutSecondFactor } from '@/lib/identity/organizations/second-factor-requirement';
import { getDeletionImpact, getOrganization } from '@/lib/identity/organizations/service';
import { env } from '@/lib/platform/env';
import { NeedsRole } from '../../_components/needs-role';
import { refusalOf } from '../../_components/permission';
import {
  DeleteOrganization,
  DeniedVersionsForm,
  LogRetentionForm,
  OrganizationFields,
  SecondFactorRequirement,
} from './_components/organization-forms';

export const metadata: Metadata = { title: 'General' };

export default async function GeneralPage({ params }: PageProps) {
  const { orgSlug } = await params;
  const { scope } = await requireMember(orgSlug);
  const organization = await getOrganization(scope);
  const { name, slug, isDemo, requiresSecondFactor: isRequired } = organization;
  const changeRefusal = await refusalOf(scope, 'admin');
  const deleteRefusal = isDemo
    ? 'The demo organization is part of this installation.'
    : await refusalOf(scope, 'owner');
  return (
    <PageBody>
      <PageHeader
        title="General"
        sentence={`${name}’s address is ${new URL(slug, env().publicUrl).href}.`}
      />
      <Card title="Name and address">
        <OrganizationFields
          organizationSlug={orgSlug}
          name={name}
          slug={slug}
          refusal={changeRefusal}
        />
      </Card>
      <Card title="Log retention">
        <LogRetentionForm
          organizationSlug={orgSlug}
          days={organization.logRetentionDays}
          refusal={changeRefusal}
        />
      </Card>
      <Card title="Denied versions of Claude Code">
        <DeniedVersionsForm
          organizationSlug={orgSlug}
          versions={organization.deniedCliVersions}
          installationVersions={organization.installationDeniedCliVersions}
          refusal={changeRefusal}
        />
      </Card>
      <Card
        title="Second factor"
        actions={
          <NeedsRole
            refusal={await refusalOf(scope, 'owner')}
            label={isRequired ? 'Stop requiring a second factor' : 'Require a second factor'}
          >
            <SecondFactorRequirement
              organizationSlug={slug}
              isRequired={isRequired}
              without={await countWithoutSecondFactor(scope)}
            />
          </NeedsRole>
        }
      >
        <p className="max-w-prose text-text-2">
          {isRequired
            ? 'Required: members only open this organization in a sign-in with a second factor.'
            : 'Optional: members can sign in with a password or a provider alone.'}{' '}
          API tokens and runners are not affected.
        </p>
      </Card>
      <Card
        title="Delete"
        actions={
          <NeedsRole refusal={deleteRefusal} label={`Delete ${name}`} look="danger">
            <DeleteOrganization
              organizationSlug={slug}
              name={name}
              impact={await getDeletionImpact(scope)}
            />
          </NeedsRole>
        }
      >
        <p className="max-w-prose text-text-2">
          Deletes all projects with their findings and costs, and all runners, webhooks and tokens,
          for every member. To leave without deleting, use your own row under Members.
        </p>
      </Card>
    </PageBody>
  );
}
