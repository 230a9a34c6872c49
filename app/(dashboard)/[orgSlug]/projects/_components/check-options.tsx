'use client';

import { type ReactNode, useState } from 'react';
import { CheckboxField } from '@/app/_components/ui/checkbox';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { CHECK_FIELDS } from '@/lib/projects/check-kind-fields';
import {
  ADDRESS_FAMILIES,
  COMPARISONS,
  DEFAULT_CHECK_SECONDS,
  DEFAULT_FAIL_DAYS,
  DEFAULT_GRACE_SECONDS,
  DEFAULT_PERIOD_SECONDS,
  DEFAULT_SAMPLE_SECONDS,
  DEFAULT_WARN_DAYS,
  DNS_RECORD_TYPES,
  HTTP_METHODS,
} from '@/lib/protocol/check-kinds';
import type { CheckType } from '@/lib/protocol/spec';
import { headersOfText, numbersOfText, textOfHeaders, textOfList } from './check-form';
import { JsonOption } from './json-option';
import {
  ChoiceOption,
  changeCheck,
  ListOption,
  NumberOption,
  Option,
  type OptionProps,
  TextOption,
} from './option-fields';
import { TypedInput, TypedTextarea } from './typed-input';

/** The fields that a kind of check is about, beside its target. */
export function MainOptions(props: OptionProps) {
  switch (props.check.type) {
    case 'http':
      return (
        <>
          <NumberOption {...props} name="expectStatus" label="Status" placeholder="200–399" />
          <TextOption {...props} name="expectText" label="Must contain" className="w-40" />
        </>
      );
    case 'tcp':
    case 'command':
      return <TextOption {...props} name="expectText" label="Must contain" className="w-40" />;
    case 'dns':
      return (
        <ChoiceOption
          {...props}
          name="recordType"
          label="Record"
          choices={DNS_RECORD_TYPES}
          otherwise="Addresses"
        />
      );
    case 'heartbeat':
      return (
        <>
          <NumberOption
            {...props}
            name="periodSeconds"
            label="Period (s)"
            placeholder={String(DEFAULT_PERIOD_SECONDS)}
          />
          <NumberOption
            {...props}
            name="graceSeconds"
            label="Grace (s)"
            placeholder={String(DEFAULT_GRACE_SECONDS)}
          />
        </>
      );
    default:
      return null;
  }
}

/** Everything else, collapsed until it is needed. */
export function MoreOptions(props: OptionProps) {
  const { type } = props.check;
  // Stays open once a problem has opened it, also while that is corrected.
  const [isOpen, setOpen] = useState(false);
  const own = OPTIONS[type](props);
  return (
    <details
      open={isOpen || hasProblem(props)}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="basis-full text-ui"
    >
      <summary className="w-fit cursor-pointer text-link">More options</summary>
      <div className="mt-2 flex flex-wrap items-end gap-x-3 gap-y-2">
        {type === 'heartbeat' ? null : (
          <NumberOption
            {...props}
            name="everySeconds"
            label="Interval (s)"
            placeholder={String(DEFAULT_CHECK_SECONDS)}
          />
        )}
        {own}
      </div>
    </details>
  );
}

/** So that what is wrong is in view. */
function hasProblem({ path, check, errorAt }: OptionProps): boolean {
  const fields = [...CHECK_FIELDS[check.type], 'expectJson.path', 'everySeconds'];
  return fields.some((field) => errorAt(`${path}.${field}`) !== undefined);
}

const OPTIONS: Record<CheckType, (props: OptionProps) => ReactNode> = {
  http: (props) => (
    <>
      <SlowestOption {...props} />
      <FamilyOption {...props} />
      <ChoiceOption
        {...props}
        name="method"
        label="Method"
        choices={HTTP_METHODS}
        otherwise="GET"
      />
      <JsonOption {...props} />
      <ListOption
        {...props}
        name="redirectHosts"
        label="Redirects may also lead to"
        placeholder="login.shop.example"
      />
      <HeadersOption {...props} />
    </>
  ),
  tls: (props) => (
    <>
      <NumberOption
        {...props}
        name="warnDays"
        label="Degraded below (days)"
        placeholder={String(DEFAULT_WARN_DAYS)}
      />
      <NumberOption
        {...props}
        name="failDays"
        label="Down below (days)"
        placeholder={String(DEFAULT_FAIL_DAYS)}
      />
      <TextOption {...props} name="serverName" label="Certificate name" className="w-52" />
      <SlowestOption {...props} />
      <FamilyOption {...props} />
    </>
  ),
  tcp: (props) => (
    <>
      <SlowestOption {...props} />
      <FamilyOption {...props} />
    </>
  ),
  dns: (props) => (
    <>
      <SlowestOption {...props} />
      <TextOption {...props} name="resolver" label="Name server" placeholder="1.1.1.1" />
      <ListOption
        {...props}
        name="expectValues"
        label="Expected values"
        placeholder="203.0.113.7"
      />
    </>
  ),
  database: SlowestOption,
  container: () => null,
  service: () => null,
  process: () => null,
  prometheus: (props) => (
    <>
      <NumberOption
        {...props}
        name="maxSampleSeconds"
        label="Oldest sample (s)"
        placeholder={String(DEFAULT_SAMPLE_SECONDS)}
      />
      <FamilyOption {...props} />
    </>
  ),
  command: (props) => (
    <>
      <Option {...props} name="exitCodes" label="Exit codes" className="w-32">
        {(control) => (
          <TypedInput
            {...control}
            placeholder="0"
            value={props.check.exitCodes}
            format={textOfList}
            parse={numbersOfText}
            onChange={(exitCodes) => changeCheck(props, { exitCodes })}
          />
        )}
      </Option>
      <CheckboxField
        id={`${props.path}.isAllowedByOwner`}
        label="Allow a command that isn’t known as harmless"
        hint="Only owners can allow one. It runs as the runner’s account, outside any sandbox."
        checked={props.check.isAllowedByOwner ?? false}
        onChange={(event) =>
          changeCheck(props, { isAllowedByOwner: event.target.checked || undefined })
        }
        className="basis-full"
      />
    </>
  ),
  heartbeat: (props) => (
    <CheckboxField
      id={`${props.path}.isPostOnly`}
      label="Count POST only"
      hint="A GET isn’t a ping then, so a link preview or crawler that opens the URL can’t report success."
      checked={props.check.isPostOnly ?? false}
      onChange={(event) => changeCheck(props, { isPostOnly: event.target.checked || undefined })}
      className="basis-full"
    />
  ),
};

function SlowestOption(props: OptionProps) {
  return <NumberOption {...props} name="maxResponseMs" label="Slowest response (ms)" />;
}

function FamilyOption(props: OptionProps) {
  return (
    <ChoiceOption
      {...props}
      name="family"
      label="IP version"
      choices={ADDRESS_FAMILIES}
      otherwise="auto"
    />
  );
}

function HeadersOption(props: OptionProps) {
  return (
    <Option
      {...props}
      name="headers"
      label="Headers"
      hint="One per line. Everyone who can see the project can read them, so no secrets."
      className="basis-full"
    >
      {(control) => (
        <TypedTextarea
          {...control}
          rows={2}
          placeholder="Accept: application/json"
          value={props.check.headers}
          format={textOfHeaders}
          parse={headersOfText}
          onChange={(headers) => changeCheck(props, { headers })}
        />
      )}
    </Option>
  );
}

/** What a prometheus check compares, in a row of its own; nothing for other kinds. */
export function QueryOptions(props: OptionProps) {
  const { check } = props;
  if (check.type !== 'prometheus') return null;
  return (
    <div className="flex basis-full flex-wrap items-start gap-x-3 gap-y-2">
      <Option {...props} name="query" label="Query" className="min-w-52 flex-1 basis-64">
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            placeholder={'up{job="shop"}'}
            value={check.query ?? ''}
            onChange={(event) => changeCheck(props, { query: event.target.value })}
          />
        )}
      </Option>
      <Option {...props} name="operator" label="Must be" className="w-24">
        {(control) => (
          <Select
            {...control}
            value={check.operator ?? ''}
            onChange={(event) =>
              changeCheck(props, {
                operator: COMPARISONS.find((each) => each === event.target.value),
              })
            }
          >
            <option value="">…</option>
            {COMPARISONS.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </Select>
        )}
      </Option>
      <NumberOption {...props} name="threshold" label="Threshold" placeholder="1" />
    </div>
  );
}
