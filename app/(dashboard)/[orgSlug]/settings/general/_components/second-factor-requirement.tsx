'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { useProof } from '@/app/_components/proof/use-proof';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { requireSecondFactor } from '../actions';

interface SecondFactorRequirementProps {
  organizationSlug: string;
  isRequired: boolean;
  /** Members who have no second factor. */
  without: number;
}

/** Turns the requirement on or off. */
export function SecondFactorRequirement(props: SecondFactorRequirementProps) {
  const { organizationSlug, isRequired, without } = props;
  const router = useRouter();
  const proof = useProof();
  const title = isRequired ? 'Stop requiring a second factor' : 'Require a second factor';

  async function change(): Promise<string | undefined> {
    const answer = await proof.run(() =>
      requireSecondFactor({ organizationSlug, isRequired: !isRequired }),
    );
    if (!answer.ok) return answer.error.message;
    toast.success(isRequired ? 'A second factor is optional now.' : 'A second factor is required.');
    router.refresh();
    return undefined;
  }

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
        onConfirm={change}
      />
    </>
  );
}
