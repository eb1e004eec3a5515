import { hostileEndpoint } from '../../../models/testing/hostile-endpoint.ts';
import type { Attack } from '../attack.ts';
import { askHostileLlm } from '../hostile-llm.ts';

const SENTENCE = 'This is a sentence that never seems to come to an end of its own. ';
/** Size of a piece: an endpoint that collects some sentences sends this much at a time. */
const SENTENCES_PER_PIECE = 10;
/** How long the session speaks the reply. Its text would take hours. */
const LISTEN_MS = 20_000;

const piece = `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: SENTENCE.repeat(SENTENCES_PER_PIECE) }, finish_reason: null }] })}\n\n`;

function* reply(characters: number): Generator<string> {
  for (let sent = 0; sent < characters; sent += SENTENCE.length * SENTENCES_PER_PIECE) yield piece;
  yield 'data: [DONE]\n\n';
}

/** The stream is as fast as it is read. */
function longReply(name: string, characters: number): Attack {
  return {
    name,
    what: `a reply of ${characters.toLocaleString('en')} characters`,
    prepare: async () => async (service) => {
      const llm = await hostileEndpoint({ pieces: () => reply(characters) });
      const heard = await askHostileLlm(service, llm.url, LISTEN_MS);
      const left = llm.abandoned > 0 ? 'left early' : 'read';
      await llm.close();
      return `${left}; ${heard}`;
    },
  };
}

export const longReplies: readonly Attack[] = [
  longReply('long-reply-20k', 20_000),
  longReply('long-reply-250k', 250_000),
  longReply('long-reply-1m', 1_000_000),
  longReply('long-reply-4m', 4_000_000),
];
