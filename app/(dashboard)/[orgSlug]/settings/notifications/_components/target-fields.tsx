'use client';

import type { ReactNode } from 'react';
import { Field } from '@/app/_components/ui/field';
import { Input, Textarea } from '@/app/_components/ui/input';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import type { NotificationTransports } from '@/lib/deliveries/mail';
import { OPSGENIE_END_DATE, OPSGENIE_URLS, PAGERDUTY_URL } from '@/lib/deliveries/targets/kinds';
import { AppriseFields } from './apprise-fields';
import type { ChannelDraft, ChannelErrors } from './draft';

export interface TargetFieldsProps {
  draft: ChannelDraft;
  errors: ChannelErrors;
  transports: NotificationTransports;
  onChange: (change: Partial<ChannelDraft>) => void;
}

/** Where the messages go. */
export function TargetFields(props: TargetFieldsProps & { isKeptWhenEmpty: boolean }) {
  switch (props.draft.kind) {
    case 'email':
      return <EmailFields {...props} />;
    case 'slack':
      return <SlackFields {...props} />;
    case 'pagerduty':
      return <PagerdutyFields {...props} />;
    case 'opsgenie':
      return <OpsgenieFields {...props} />;
    case 'oncall_webhook':
      return <OncallFields {...props} />;
    case 'apprise':
      return <AppriseFields {...props} />;
  }
}

const STORED = 'Stored encrypted and not shown again.';

function EmailFields(props: TargetFieldsProps) {
  return (
    <TextField
      {...props}
      name="addresses"
      label="Addresses"
      rows={2}
      placeholder="ops@example.com"
      hint={
        props.transports.hasMail
          ? 'Up to 10, separated by commas.'
          : 'This installation can’t send e-mail because SMTP_URL is not set. Ask its operator to set it.'
      }
    />
  );
}

function SlackFields(props: TargetFieldsProps) {
  return (
    <TextField
      {...props}
      name="url"
      label="Webhook URL"
      placeholder="https://hooks.slack.com/services/…"
      hint={`In Slack, add an incoming webhook to the channel and copy its URL. ${STORED}`}
    />
  );
}

function PagerdutyFields(props: TargetFieldsProps) {
  return (
    <>
      <TextField
        {...props}
        name="routingKey"
        label="Integration key"
        hint={`In PagerDuty, add the integration Events API V2 to a service and copy its key. ${STORED}`}
      />
      <TextField
        {...props}
        name="baseUrl"
        label="API address"
        isOptional
        placeholder={PAGERDUTY_URL}
        hint="For accounts in the EU: https://events.eu.pagerduty.com"
      />
    </>
  );
}

function OpsgenieFields(props: TargetFieldsProps) {
  const { draft, onChange } = props;
  return (
    <>
      <SegmentedChoice
        label="Product"
        name="channel-product"
        value={draft.product}
        onChange={(product) => onChange({ product })}
        choices={[
          { value: 'jsm', label: 'Jira Service Management' },
          { value: 'opsgenie', label: 'Opsgenie' },
        ]}
      />
      {draft.product === 'opsgenie' ? (
        <p className="text-text-2 text-ui">
          Atlassian shuts down Opsgenie and its API on{' '}
          <time dateTime={OPSGENIE_END_DATE}>April 5, 2027</time>. Use Jira Service Management where
          you can.
        </p>
      ) : null}
      <TextField
        {...props}
        name="apiKey"
        label="API key"
        hint={`The key of an API integration that may create and update alerts. ${STORED}`}
      />
      <TextField
        {...props}
        name="baseUrl"
        label="API address"
        isOptional
        placeholder={OPSGENIE_URLS[draft.product]}
        hint={
          draft.product === 'opsgenie'
            ? 'For accounts in the EU: https://api.eu.opsgenie.com'
            : 'Leave empty to use the address of Atlassian.'
        }
      />
    </>
  );
}

function OncallFields(props: TargetFieldsProps) {
  const { draft, onChange } = props;
  return (
    <>
      <TextField
        {...props}
        name="url"
        label="URL"
        placeholder="https://oncall.example.com/alerts"
        hint={`Receives one signed JSON object per message. ${STORED}`}
      />
      <SegmentedChoice
        label="JSON"
        name="channel-shape"
        value={draft.shape}
        onChange={(shape) => onChange({ shape })}
        choices={[
          { value: 'tierwatch', label: 'Tierwatch JSON' },
          { value: 'events_v2', label: 'Events v2 JSON' },
        ]}
      />
      {draft.shape === 'events_v2' ? (
        <TextField
          {...props}
          name="routingKey"
          label="Routing key"
          isOptional
          hint="routing_key of each event, if the receiver needs one."
        />
      ) : null}
      <TextField
        {...props}
        name="headers"
        label="Headers"
        isOptional
        rows={2}
        placeholder="Authorization: Bearer …"
        hint={`One per line, such as a bearer token. ${STORED}`}
      />
    </>
  );
}

type TextName = 'addresses' | 'url' | 'routingKey' | 'baseUrl' | 'apiKey' | 'headers';

interface TextFieldProps extends TargetFieldsProps {
  name: TextName;
  label: string;
  hint?: ReactNode;
  placeholder?: string;
  isOptional?: boolean;
  /** Several lines; omitted: a single one. */
  rows?: number;
}

/** One text of the draft. Secrets are plain text while they are entered, so they can be compared. */
function TextField(props: TextFieldProps) {
  const { draft, errors, onChange, name, label, hint, placeholder, isOptional, rows } = props;
  return (
    <Field
      id={`channel-${name}`}
      label={label}
      hint={hint}
      error={errors[name]}
      {...(isOptional ? { isOptional } : {})}
    >
      {(control) => {
        const shared = {
          ...control,
          autoComplete: 'off',
          spellCheck: false,
          placeholder,
          value: draft[name],
        };
        const change = (value: string) => onChange({ [name]: value });
        return rows ? (
          <Textarea {...shared} rows={rows} onChange={(event) => change(event.target.value)} />
        ) : (
          <Input {...shared} onChange={(event) => change(event.target.value)} />
        );
      }}
    </Field>
  );
}
