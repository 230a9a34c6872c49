'use client';

import { Field } from '@/app/_components/ui/field';
import { Input, Textarea } from '@/app/_components/ui/input';
import type { TargetFieldsProps } from './target-fields';

/** An Apprise server and what it sends to. */
export function AppriseFields(
  props: TargetFieldsProps & {
    /** Of an existing channel: its URLs are secrets, so they are not shown. */
    isKeptWhenEmpty: boolean;
  },
) {
  const { draft, errors, isKeptWhenEmpty, transports, onChange } = props;
  return (
    <>
      {isKeptWhenEmpty ? (
        <p className="text-text-2 text-ui">
          Leave the next four fields empty to keep the stored values. They contain secrets, so they
          aren’t shown.
        </p>
      ) : null}
      <Field
        id="channel-serverUrl"
        label="Apprise server"
        isOptional={transports.hasApprise}
        hint={
          transports.hasApprise
            ? 'Leave empty to use this installation’s server. Private and metadata addresses are refused.'
            : 'An Apprise API server. Private and metadata addresses are refused.'
        }
        error={errors.serverUrl}
      >
        {(control) => (
          <Input
            {...control}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://apprise.example.com"
            value={draft.serverUrl}
            onChange={(event) => onChange({ serverUrl: event.target.value })}
          />
        )}
      </Field>
      <Field
        id="channel-urls"
        label="Apprise URLs"
        hint="One per line. Stored encrypted and not shown again."
        error={errors.urls}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            spellCheck={false}
            autoComplete="off"
            placeholder="slack://token/channel"
            value={draft.urls}
            onChange={(event) => onChange({ urls: event.target.value })}
            className="font-mono"
          />
        )}
      </Field>
      <div className="grid grid-cols-2 items-start gap-3 max-md:grid-cols-1">
        <Field
          id="channel-configKey"
          label="Configuration key"
          isOptional
          hint="Instead of URLs: a configuration stored on an Apprise server of your own."
          error={errors.configKey}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              value={draft.configKey}
              onChange={(event) => onChange({ configKey: event.target.value })}
            />
          )}
        </Field>
        <Field
          id="channel-tags"
          label="Tags"
          isOptional
          hint="Only services with one of these tags are notified."
          error={errors.tags}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              value={draft.tags}
              onChange={(event) => onChange({ tags: event.target.value })}
            />
          )}
        </Field>
      </div>
    </>
  );
}
