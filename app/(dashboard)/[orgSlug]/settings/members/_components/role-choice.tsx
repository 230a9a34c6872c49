'use client';

import { Radio } from '@/app/_components/ui/input';
import type { Role } from '@/lib/platform/db/roles';
import { ROLE_HINTS, ROLE_WORDS } from './role-words';

interface RoleChoiceProps {
  roles: readonly Role[];
  value: Role;
  onChange: (role: Role) => void;
}

/** Lists each role with its permissions. */
export function RoleChoice({ roles, value, onChange }: RoleChoiceProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-ui">Role</legend>
      {roles.map((role) => (
        <label key={role} className="flex cursor-pointer items-start gap-2 text-ui">
          <Radio
            name="role"
            value={role}
            checked={value === role}
            onChange={() => onChange(role)}
            className="mt-0.5 size-4 shrink-0 accent-ink"
          />
          <span className="flex flex-col">
            <span className="font-medium">{ROLE_WORDS[role]}</span>
            <span className="text-text-2">{ROLE_HINTS[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
