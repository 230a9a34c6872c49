'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { settingPath } from '@/lib/projects/difference';
import type { ShownSetting, ShownSettings } from '@/lib/projects/settings';

const Settings = createContext<ShownSettings>({});

interface SettingsProviderProps {
  settings: ShownSettings;
  children: ReactNode;
}

/** Hands the entries of all settings to the browser, without their schemas and documentation. */
export function SettingsProvider({ settings, children }: SettingsProviderProps) {
  return <Settings value={settings}>{children}</Settings>;
}

export function useSettings(): ShownSettings {
  return useContext(Settings);
}

/** Returns the entry of a value's setting: for `tiers.1.maxTurns` that of `tiers.maxTurns`. */
export function useSetting(path: string): ShownSetting {
  const setting = useSettings()[settingPath(path)];
  if (!setting) throw new Error(`${path} is no setting.`);
  return setting;
}
