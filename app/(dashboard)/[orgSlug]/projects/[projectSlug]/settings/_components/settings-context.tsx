'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { AgentInfo } from '@/lib/agents/registry';
import { settingPath } from '@/lib/projects/difference';
import type { ShownSetting, ShownSettings } from '@/lib/projects/settings';
import type { DraftForm } from './use-draft';

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

/** What a section knows about the installation and the project, by the settings' paths. */
export interface SettingFacts {
  isLocked: boolean;
  agents: readonly AgentInfo[];
  pools?: readonly string[];
  /** Values that the installation sets, and why; the project's own don't apply. */
  forced?: Readonly<Record<string, { value: unknown; why: string }>>;
  /** Stands before the hint of a setting, or is its hint. */
  hints?: Readonly<Record<string, string>>;
}

export interface SettingProps {
  /** `tiers.1.maxTurns` */
  path: string;
  form: DraftForm;
  facts: SettingFacts;
}
