'use client';

import { useState } from 'react';
import { Card } from '@/app/_components/ui/card';
import type { FactorsDto } from '@/lib/identity/factors/schema';
import { formatCounted } from '@/lib/platform/format/count';
import { removeApp, removePasskey } from '../actions';
import { AppSetUp } from './app-set-up';
import { FactorRow } from './factor-row';
import { PasskeyForm } from './passkey-form';
import { RecoveryCodes, RenewRecoveryCodes } from './recovery-codes';

interface FactorCardsProps {
  factors: FactorsDto;
  /** An organization that requires a second factor, by name; null: none does. */
  requiredBy: string | null;
}

export function FactorCards({ factors, requiredBy }: FactorCardsProps) {
  const { totp, passkeys, recoveryCodesLeft } = factors;
  // Here, since the page is refreshed behind them.
  const [codes, setCodes] = useState<string[] | null>(null);
  const count = passkeys.length + (totp ? 1 : 0);
  const lastRefusal = count === 1 && requiredBy ? `${requiredBy} requires it.` : null;
  return (
    <>
      {codes ? <RecoveryCodes codes={codes} onDone={() => setCodes(null)} /> : null}
      <Card title="Authenticator app" isFlush={totp !== null}>
        {totp ? (
          <ul aria-label="Authenticator app">
            <FactorRow
              name="Authenticator app"
              addedAt={totp.addedAt}
              lastUsedAt={totp.lastUsedAt}
              refusal={lastRefusal}
              isLast={count === 1}
              onRemove={() => removeApp({})}
            />
          </ul>
        ) : (
          <AppSetUp onCodes={setCodes} />
        )}
      </Card>
      <Card title="Passkeys" note={passkeys.length} isFlush={passkeys.length > 0}>
        {passkeys.length > 0 ? (
          <ul aria-label="Passkeys">
            {passkeys.map((passkey) => (
              <FactorRow
                key={passkey.id}
                {...passkey}
                refusal={lastRefusal}
                isLast={count === 1}
                onRemove={() => removePasskey({ passkeyId: passkey.id })}
              />
            ))}
          </ul>
        ) : (
          <p className="mb-4 max-w-prose text-text-2">
            A passkey is kept by this device, your password manager or a security key. It works on
            Tierwatch’s own address alone, so it can’t be phished.
          </p>
        )}
        <div className={passkeys.length > 0 ? 'border-line border-t p-4' : undefined}>
          <PasskeyForm onCodes={setCodes} />
        </div>
      </Card>
      {count > 0 ? (
        <Card title="Recovery codes" actions={<RenewRecoveryCodes onCodes={setCodes} />}>
          <p className="max-w-prose text-text-2">
            {recoveryCodesLeft === 0
              ? 'You have none left. Create new ones: without them, a lost device locks you out.'
              : `You have ${formatCounted(recoveryCodesLeft, 'recovery code')} left. Each signs you in once when your device is lost.`}
          </p>
        </Card>
      ) : null}
    </>
  );
}
