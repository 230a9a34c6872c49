/**
 * Loaded into the web process before Next (`node --import`). Next answers 500 to requests that it
 * can't read: paths that don't decode, `*`, TRACE. This answers them first, with a 4xx problem document. It also
 * redirects slashes that a job has put at the end of its ping's URL, and `curl -f` calls a redirect a success.
 * Addresses that were renamed are served under their new one, so that everything behind knows only that.
 */
import { randomBytes } from 'node:crypto';
import http from 'node:http';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * What is wrong with a request, before anyone asks what it is about; null if Next can read it.
 * @param {{ method?: string | undefined, url?: string | undefined, headers: { host?: string | undefined } }} request
 * @returns {{ status: number, detail: string } | null}
 */
export function refusalOf({ method = '', url = '', headers }) {
  if (!METHODS.includes(method)) {
    return { status: 405, detail: `${method} is not supported. Use ${METHODS.join(', ')}.` };
  }
  if (headers.host !== undefined && !URL.canParse(`http://${headers.host}`)) {
    return { status: 400, detail: 'The Host header is not a host name. Send the one of this URL.' };
  }
  const isReadable = url.startsWith('/') || /^https?:/i.test(url);
  if (
    !isReadable ||
    !URL.canParse(url, 'http://host') ||
    !isDecodable(url.split('?', 1)[0] ?? '')
  ) {
    const detail =
      'The path can’t be decoded: a percent sign must be followed by two hexadecimal digits of a UTF-8 character other than NUL. Encode the path, then try again.';
    return { status: 400, detail };
  }
  return null;
}

/** @param {string} path */
function isDecodable(path) {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}

/**
 * The URL of a ping without what scripts leave in it: more slashes, white space at the end of a part.
 * @param {string} url
 * @returns {string} any other URL as it is
 */
export function pingUrlOf(url) {
  const [path = '', ...query] = url.split('?');
  const parts = path.split('/').map((part) => part.replace(/(?:%20|%09|%0a|%0d|\s)+$/gi, ''));
  const [api, heartbeats, ...named] = parts.filter((part) => part !== '');
  if (api !== 'api' || heartbeats !== 'heartbeats') return url;
  return [`/${[api, heartbeats, ...named].join('/')}`, ...query].join('?');
}

/** @type {[former: RegExp, address: string][]} */
const RENAMED = [
  [/^\/api\/alerts(?=\/)/, '/api/signals'],
  [
    /^\/api\/v1\/alert-sources\/([^/?]+)\/deliveries(?=[/?]|$)/,
    '/api/v1/signal-sources/$1/requests',
  ],
  [/^\/api\/v1\/alert-sources(?=[/?]|$)/, '/api/v1/signal-sources'],
  [/^\/api\/v1\/alerts(?=[/?]|$)/, '/api/v1/signals'],
  [/^\/api\/v1\/escalation-policies(?=[/?]|$)/, '/api/v1/paging-policies'],
];

/**
 * The URL of today for one that senders and programs were set up with.
 * @param {string} url
 * @returns {string} any other URL as it is
 */
export function currentUrlOf(url) {
  const renamed = RENAMED.find(([former]) => former.test(url));
  return renamed ? url.replace(...renamed) : url;
}

const TITLES = {
  400: 'The request is malformed',
  405: 'Method not allowed',
  408: 'The request took too long',
  431: 'The request headers are too large',
};

/**
 * The body and headers of a problem document (RFC 9457), as `lib/platform/http/problem.ts` makes them.
 * @param {number} status
 * @param {string} detail
 */
function problemOf(status, detail) {
  const requestId = `req_${Array.from(randomBytes(22), (byte) => BASE_62[byte % 62]).join('')}`;
  const code = 'malformed';
  const type = `urn:tierwatch:problem:${code}`;
  const body = JSON.stringify({ type, title: TITLES[status], status, detail, code, requestId });
  /** @type {Record<string, string>} */
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
  return { body, headers };
}

/**
 * Answers with a problem where a route of the API leaves the method out: Next sends an empty 405.
 * @param {http.IncomingMessage} request
 * @param {http.ServerResponse} response
 */
function explainMethods(request, response) {
  const { writeHead, end } = response;
  let body = '';
  const isBare = () =>
    response.statusCode === 405 && !response.headersSent && !response.hasHeader('content-type');
  response.writeHead = function explained(...args) {
    if (isBare()) {
      const detail = `This address doesn’t accept ${request.method}. Send OPTIONS to see what it accepts.`;
      const problem = problemOf(405, detail);
      if (request.method !== 'HEAD') body = problem.body;
      for (const [name, value] of Object.entries(problem.headers)) this.setHeader(name, value);
    }
    return writeHead.apply(this, args);
  };
  response.end = function explained(...args) {
    if (isBare()) this.writeHead(405);
    return body ? end.call(this, body) : end.apply(this, args);
  };
}

/**
 * Answers what isn't HTTP at all, where Node would close the connection with an empty 400.
 * @param {Error & { code?: string }} error
 * @param {import('node:stream').Duplex} socket
 */
function answerUnreadable(error, socket) {
  if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
  const status =
    { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400;
  const { body, headers } = problemOf(status, 'The request could not be read as HTTP.');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`, ...lines, 'connection: close'];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Puts the door in front of what handles requests.
 * @param {http.RequestListener} listener
 * @returns {http.RequestListener}
 */
export function behindDoor(listener) {
  return (request, response) => {
    request.url = currentUrlOf(pingUrlOf(request.url ?? ''));
    const refusal = refusalOf(request);
    if (refusal) {
      const { body, headers } = problemOf(refusal.status, refusal.detail);
      if (refusal.status === 405) headers.allow = METHODS.join(', ');
      response.writeHead(refusal.status, headers);
      response.end(request.method === 'HEAD' ? undefined : body);
      return;
    }
    if (request.url?.startsWith('/api/')) explainMethods(request, response);
    listener(request, response);
  };
}

const { createServer } = http;
// Next's start makes its server with one listener, and offers no place before it.
http.createServer = (...args) => {
  const server = createServer(
    ...args.map((arg) => (typeof arg === 'function' ? behindDoor(arg) : arg)),
  );
  // The first is the one of the pages; whoever ends the process closes it.
  globalThis.tierwatchWebServer ??= server;
  return server.on('clientError', answerUnreadable);
};
