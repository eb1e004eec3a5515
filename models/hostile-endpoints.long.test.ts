import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import type { Client, Outcome, Question } from './testing/asking-process.ts';
import { BEHAVIORS, hostileEndpoint, type BehaviorName, type HostileEndpoint } from './testing/hostile-endpoint.ts';

/**
 * A broken or hostile endpoint took the memory of the whole service: 4.7 GB in 16 s by a line of server-sent events
 * without an end, 7 GB by the body of an error, 5.3 GB by 3 MB of gzip. Each provider's client read whatever it got.
 */

/** What a process may grow by. 16 MiB of embeddings take most of it, on their way through three copies. */
const MAX_GROWTH_MB = 160;
/** What a client may leave unread on the way: buffers of sockets, and what unpacks later. */
const MAX_SENT_BYTES = 64 * 1024 * 1024;
/** Shorter than in a conversation, but long enough for a broken client to fill the memory. */
const SILENCE_MS = 2_000;
/** Of what is refused for what it sends: on a busy machine, that takes its time. */
const PATIENCE_MS = 120_000;
/** Nothing but time ends these. */
const WORDLESS: readonly BehaviorName[] = ['keep-alives without end', 'empty chat events without end'];

const children: ChildProcess[] = [];
const endpoints: HostileEndpoint[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const endpoint of endpoints.splice(0)) await endpoint.close();
});

async function asker(): Promise<{ ask(question: Question): Promise<Outcome>; peakAtStartMb: number }> {
  const child = fork(new URL('./testing/asking-process.ts', import.meta.url), { execArgv: [] });
  children.push(child);
  const next = async (): Promise<Outcome> => (await once(child, 'message'))[0] as Outcome;
  const { peakMb } = await next();
  return {
    peakAtStartMb: peakMb,
    ask: (question) => {
      child.send(question);
      return next();
    },
  };
}

const TOO_MUCH_AUDIO = expect.stringMatching(/^The TTS provider sent more than \d+ MiB\.$/);
const outcome = (ended: Outcome['ended'], message: unknown) => expect.objectContaining({ ended, message });

const chatRefusals: [BehaviorName, unknown][] = [
  ['a line without end', outcome('bad-response', 'The model sent an event of more than 512 KiB.')],
  ['an error without end', outcome('server', 'The model has a problem of its own. It answered 500.')],
  ['a gzip bomb', outcome('bad-response', 'The model sent an event of more than 512 KiB.')],
  ['a brotli bomb', outcome('bad-response', 'The model sent an event of more than 512 KiB.')],
  ['a gzip bomb as an error', outcome('server', 'The model has a problem of its own. It answered 500.')],
  ['keep-alives without end', outcome('timeout', 'The language model did not begin to answer within 2 seconds.')],
  [
    'half a line, then a closed half',
    outcome('bad-response', 'The answer of the model broke off or was not understood.'),
  ],
];

const speechRefusals: [BehaviorName, unknown][] = [
  ['a line without end', outcome('bad-response', TOO_MUCH_AUDIO)],
  ['a gzip bomb', outcome('bad-response', TOO_MUCH_AUDIO)],
  ['an error without end', outcome('server', 'The TTS provider failed.')],
  ['a gzip bomb as an error', outcome('server', 'The TTS provider failed.')],
];

const SOUND_WITHOUT_END: [BehaviorName, unknown] = ['sound without end', outcome('bad-response', TOO_MUCH_AUDIO)];

const REFUSALS: Record<Client, [BehaviorName, unknown][]> = {
  openai: [
    ...chatRefusals,
    [
      'empty chat events without end',
      outcome('timeout', 'The language model did not begin to answer within 2 seconds.'),
    ],
    ['chat words without end', outcome('bad-response', 'The model sent more than 16 MiB.')],
    ['chat tool arguments without end', outcome('bad-response', 'The model sent a tool call of more than 64 KiB.')],
    ['chat tool calls without end', outcome('bad-response', 'The model asked for more than 30 tools at once.')],
  ],
  azure: chatRefusals.slice(0, 3),
  gemini: chatRefusals,
  embeddings: [
    ['JSON without end', outcome('bad-response', 'The embeddings endpoint sent more than 16 MiB.')],
    ['a gzip bomb as JSON', outcome('bad-response', 'The embeddings endpoint sent more than 16 MiB.')],
    ['an error without end', outcome('server', 'The model has a problem of its own. It answered 500.')],
  ],
  recognizer: [
    ['JSON without end', outcome('bad-response', 'The recognition service sent more than 256 KiB.')],
    ['a gzip bomb as JSON', outcome('bad-response', 'The recognition service sent more than 256 KiB.')],
    ['an error without end', outcome('server', 'The recognition service failed.')],
  ],
  // What calls itself a text may have sound within it.
  speech: [...speechRefusals, SOUND_WITHOUT_END],
  elevenlabs: speechRefusals,
  cartesia: speechRefusals,
};

const cases = Object.entries(REFUSALS) as [Client, [BehaviorName, unknown][]][];

/** Read by the same code as another one. */
const ALIKE: readonly Client[] = ['azure', 'cartesia'];

for (const [client, refusals] of cases)
  it(
    `the client of ${client} gives up bad answers with a sentence, and keeps its memory`,
    { tags: ALIKE.includes(client) ? ['nightly'] : [] },
    async () => {
      const { ask, peakAtStartMb } = await asker();
      for (const [behavior, expected] of refusals) {
        const endpoint = await hostileEndpoint(BEHAVIORS[behavior]);
        endpoints.push(endpoint);
        const silenceMs = WORDLESS.includes(behavior) ? SILENCE_MS : PATIENCE_MS;
        const told = await ask({ client, url: endpoint.url, silenceMs });
        expect(told, behavior).toEqual(expected);
        expect(told.peakMb - peakAtStartMb, behavior).toBeLessThan(MAX_GROWTH_MB);
        expect(endpoint.sentBytes, behavior).toBeLessThan(MAX_SENT_BYTES);
      }
    },
  );
