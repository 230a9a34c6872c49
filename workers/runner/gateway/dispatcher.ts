import { type Dispatcher, EnvHttpProxyAgent } from 'undici';

/** Connections to model providers, through the proxies that the runner's environment names. */
export function modelDispatcher(env: Readonly<Record<string, string | undefined>>): Dispatcher {
  const proxy = (name: string) => env[name] || env[name.toUpperCase()];
  const httpProxy = proxy('http_proxy');
  const httpsProxy = proxy('https_proxy');
  const noProxy = proxy('no_proxy');
  return new EnvHttpProxyAgent({
    // Empty strings, so that it doesn't read the variables of this process itself.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: noProxy ?? '',
  });
}
