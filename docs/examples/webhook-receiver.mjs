// Receives Tierwatch webhooks and checks that they are genuine. Run it:
//   npm install standardwebhooks
//   WEBHOOK_SECRET=whsec_... PORT=4000 node webhook-receiver.mjs
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const LARGEST_BODY_BYTES = 1_000_000;

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');
const seenIds = new Set();

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') return answer(response, 405, 'Only POST is taken here.');

  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > LARGEST_BODY_BYTES) return answer(response, 413, 'The body is too large.');
    chunks.push(chunk);
  }

  let event;
  try {
    // The signature covers the bytes as they came: verify before anything parses them.
    event = webhook.verify(Buffer.concat(chunks), request.headers);
  } catch {
    return answer(response, 401, 'The signature does not fit.');
  }

  // A delivery that is sent again, because an answer was lost, keeps its id.
  const id = request.headers['webhook-id'];
  const isRepeated = seenIds.has(id);
  seenIds.add(id);
  // Answer first, work later: an answer that takes longer than 15 seconds counts as a failure.
  answer(response, 204);
  if (!isRepeated) handle(event);
});

function handle(event) {
  console.log(`${event.type}: ${event.data.summary}`);
  if (event.type === 'chain.needs_human') console.log(`Look at ${event.data.link}`);
}

function answer(response, status, text = '') {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
}

server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});
