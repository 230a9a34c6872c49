import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import type { ReactNode } from 'react';
import { buildId } from '@/lib/platform/http/build-id';
import { platformOf } from './_components/keys/platform';
import { PlatformProvider } from './_components/keys/platform-context';
import { NavigationBar } from './_components/reach/navigation-bar';
import { PREFERENCES_COOKIE, parsePreferences, themeScript } from './_components/shell/preferences';
import { PreferencesProvider } from './_components/shell/preferences-context';
import { ClockProvider } from './_components/status/clock';
import { cn } from './_components/ui/cn';
import { Toaster } from './_components/ui/toaster';
import { inter, jetbrainsMono } from './fonts';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Tierwatch', template: '%s · Tierwatch' },
  description: 'Keeps a team’s systems healthy with Claude Code running in permission tiers.',
};

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f9fafb' },
    { media: '(prefers-color-scheme: dark)', color: '#0d0e11' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [cookieStore, headerList] = await Promise.all([cookies(), headers()]);
  const preferences = parsePreferences(cookieStore.get(PREFERENCES_COOKIE)?.value);
  return (
    <html
      lang="en"
      data-build={buildId()}
      data-theme={preferences.theme}
      data-density={preferences.density}
      className={cn(inter.variable, jetbrainsMono.variable, preferences.theme === 'dark' && 'dark')}
      // The script below may add the class before React looks.
      suppressHydrationWarning
    >
      <head>
        <script
          nonce={headerList.get('x-nonce') ?? undefined}
          // A browser hides a nonce from scripts, so React would see another one than it sent.
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of our own
          dangerouslySetInnerHTML={{ __html: themeScript }}
        />
      </head>
      <body>
        <PreferencesProvider initial={preferences}>
          <ClockProvider serverNow={Date.now()}>
            <NavigationBar />
            <PlatformProvider platform={platformOf(headerList)}>{children}</PlatformProvider>
            <Toaster />
          </ClockProvider>
        </PreferencesProvider>
      </body>
    </html>
  );
}
