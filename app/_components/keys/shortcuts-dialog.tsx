'use client';

import { usePreferences } from '../shell/preferences-context';
import { Dialog } from '../ui/dialog';
import { Kbd } from '../ui/kbd';
import { Switch } from '../ui/switch';
import { ModKbd } from './platform-context';
import { MOD, SHORTCUTS } from './shortcuts';

interface ShortcutsDialogProps {
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

export function ShortcutsDialog({ isOpen, setOpen }: ShortcutsDialogProps) {
  const { preferences, change } = usePreferences();
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      title="Keyboard shortcuts"
      description="They are off while you type. No single key stops or deletes anything."
    >
      <div className="flex flex-col gap-5">
        <label htmlFor="shortcuts-on" className="flex items-center justify-between gap-4 text-ui">
          Use shortcuts
          <Switch
            id="shortcuts-on"
            checked={preferences.hasShortcuts}
            onCheckedChange={(hasShortcuts) => change({ hasShortcuts })}
          />
        </label>
        {SHORTCUTS.map(({ where, shortcuts }) => (
          <section key={where} aria-label={where} className="flex flex-col gap-1">
            <h3 className="text-meta text-text-3">{where}</h3>
            <dl>
              {shortcuts.map(({ keys, does }) => (
                <div
                  key={does}
                  className="flex min-h-8 items-center justify-between gap-4 border-line border-t text-ui"
                >
                  <dt>{does}</dt>
                  <dd className="flex shrink-0 gap-1">
                    {keys[0] === MOD ? (
                      <ModKbd>{keys[1] ?? ''}</ModKbd>
                    ) : (
                      keys.map((key) => <Kbd key={key}>{key}</Kbd>)
                    )}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
