import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Attack } from '../attack.ts';
import { askHostileLlm } from '../hostile-llm.ts';

const SENTENCE = 'This is a sentence that never seems to come to an end of its own. ';
/** Of the stream's pieces; a model that is served badly sends as much at a time. */
const SENTENCES_PER_PIECE = 10;
/** How long the session is left alone with the reply: it speaks the beginning of hours. */
const LISTEN_MS = 20_000;

const piece = `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content: SENTENCE.repeat(SENTENCES_PER_PIECE) }, finish_reason: null }] })}\n\n`;

/** Streams as fast as it is read. */
async function stream(response: ServerResponse, characters: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const pieces = Math.ceil(characters / (SENTENCE.length * SENTENCES_PER_PIECE));
  for (let sent = 0; sent < pieces && !response.destroyed; sent += 1) {
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end('data: [DONE]\n\n');
}

function longReply(name: string, characters: number): Attack {
  return {
    name,
    what: `a reply of ${characters.toLocaleString('en')} characters`,
    async run(service) {
      let end = 'never asked';
      const server = createServer((request, response) => {
        request.resume();
        end = 'still reading';
        response.on('close', () => (end = response.writableFinished ? 'read to its end' : 'cancelled'));
        void stream(response, characters);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const spoken = await askHostileLlm(service, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, LISTEN_MS);
      server.closeAllConnections();
      server.close();
      return `${end}; ${spoken}`;
    },
  };
}

export const longReplies: readonly Attack[] = [
  longReply('long-reply-20k', 20_000),
  longReply('long-reply-250k', 250_000),
  longReply('long-reply-1m', 1_000_000),
  longReply('long-reply-4m', 4_000_000),
];
