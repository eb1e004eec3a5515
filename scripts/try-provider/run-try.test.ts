import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { messageOf, namedEvents, stopOf, textOf } from '../../models/llm/testing/anthropic-events.ts';
import { delta, scriptedServer, sse, type Script } from '../../models/llm/testing/scripted-server.ts';
import { wavFile } from '../../models/stt/wav.ts';
import { spoken } from '../../models/stt/streaming/testing/spoken-numbers.ts';
import { startStreamingServer, type Treatment } from '../../models/stt/streaming/testing/streaming-server.ts';
import { serveNova } from '../../models/stt/streaming/testing/wire-formats.ts';
import { json, startAccountServer } from '../../models/tts/testing/account-server.ts';
import { elevenLabsDialect, startSocketService } from '../../models/tts/testing/socket-service.ts';
import { runTry } from './run-try.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-try-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
function using<T extends { close(): Promise<void> }>(server: T): T {
  servers.push(server);
  return server;
}

/** @returns what was printed, and the exit status. */
async function run(line: string, environment: Record<string, string> = {}) {
  const printed: string[] = [];
  const status = await runTry(line === '' ? [] : line.split(' '), environment, (text) => printed.push(text));
  return { status, text: printed.join('\n') };
}

describe('a recognizer', () => {
  const file = join(folder, 'numbers.wav');
  writeFileSync(file, wavFile(spoken('one', 'two'), 16_000));
  const serve = async (treatments: readonly Treatment[] = []) =>
    using(await startStreamingServer(serveNova, treatments));

  it('hears a file, and is timed', async () => {
    const { url } = await serve();
    const { status, text } = await run(`stt deepgram --key k-12345 --base-url ${url} --file ${file} --tries 2`);
    expect(text).toMatch(/^ {2}2: first words after \d+ ms, final \d+ ms after the end: "one two"$/m);
    expect(text).toMatch(/^Median: first words after/m);
    expect(text).toContain('  PARLEY_STT_PROVIDER=deepgram\n');
    expect(text).toContain('  PARLEY_STT_API_KEY=…');
    expect(text).not.toContain('k-12345');
    expect(status).toBe(0);
  });

  it('that refuses the key is said to do so', async () => {
    const { url } = await serve([{ refuse: { status: 401 } }]);
    const { status, text } = await run('stt deepgram --tries 1', {
      PARLEY_STT_API_KEY: 'wrong',
      PARLEY_STT_BASE_URL: url,
    });
    expect(text).toContain('It does not work. The recognition service refused the key.');
    expect(text).toContain('Check the key');
    expect(status).toBe(1);
  });

  it('is given only files that it can hear', async () => {
    writeFileSync(join(folder, 'other.wav'), wavFile([new Int16Array(100)], 44_100));
    for (const name of ['other.wav', 'missing.wav']) {
      const { status, text } = await run(`stt deepgram --key k --file ${join(folder, name)}`);
      expect(text).toMatch(/^--file: /m);
      expect(status).toBe(2);
    }
  });
});

describe('an LLM', () => {
  const serve = async (script: Script) => using(await scriptedServer(script));
  const callsTool = [
    delta({
      tool_calls: [{ index: 0, id: 't', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
    }),
    delta({}, 'tool_calls'),
  ];

  it('is asked, and whether it calls tools', async () => {
    const { url } = await serve((response, { body }) =>
      sse(response, body['tools'] === undefined ? [delta({ content: 'Paris.' }), delta({}, 'stop')] : callsTool),
    );
    const { status, text } = await run(`llm openai --base-url ${url}/v1 --model m-1 --tries 2`);
    expect(text).toMatch(/^ {2}2: first token after \d+ ms, all after \d+ ms: "Paris."$/m);
    expect(text).toContain('Tools: it called one');
    expect(text).toContain('  PARLEY_LLM_MODEL=m-1');
    expect(status).toBe(0);
  });

  it('in the format of Claude is asked with its own client', async () => {
    const { url } = await serve((response) =>
      namedEvents(response, [messageOf(), ...textOf(0, ['Paris.']), ...stopOf('end_turn')]),
    );
    const { text } = await run(`llm anthropic --base-url ${url} --key k --model claude-haiku-4-5 --tries 1`);
    expect(text).toContain('"Paris."');
    expect(text).toContain('Tools: it did not call one');
  });

  it('that is not there is said to be unreachable', async () => {
    const { url, close } = await scriptedServer(() => {});
    await close();
    const { status, text } = await run(`llm openai --base-url ${url} --model m --tries 1`);
    expect(text).toContain('It does not work. The model could not be reached.');
    expect(text).toContain('--base-url');
    expect(status).toBe(1);
  });
});

describe('a voice', () => {
  it('says a sentence, which is saved', async () => {
    const service = using(
      await startSocketService(elevenLabsDialect, (sentence) => {
        sentence.speak(
          Array.from({ length: 2_400 }, (_, k) => k),
          [['Hello', 0, 100]],
        );
        sentence.end();
      }),
    );
    const out = join(folder, 'out.wav');
    const { status, text } = await run(
      `tts elevenlabs --key k --base-url ${service.url} --voice v1 --text Hello --tries 1 --out ${out}`,
    );
    expect(text).toMatch(/^ {2}1: first sound after \d+ ms, all 100 ms of it after \d+ ms$/m);
    expect(text).toContain(`Times of words: 1. Saved: ${out}`);
    expect(readFileSync(out).length).toBe(44 + 4_800);
    expect(status).toBe(0);
  });

  it('is one of the account, which is listed, where none is named', async () => {
    const server = using(
      await startAccountServer(({ path }, response) => {
        if (path !== '/v2/voices') return void response.writeHead(503).end();
        const voices = [
          { voice_id: 'heidi', name: 'Heidi', labels: { language: 'de' } },
          { voice_id: 'rachel', name: 'Rachel', labels: { language: 'en' } },
        ];
        json(response, { voices, has_more: false });
      }),
    );
    const { status, text } = await run(`tts elevenlabs --key k --base-url ${server.url} --tries 1`);
    expect(text).toContain('The account has 2 voices:\n  heidi  Heidi (de)\n  rachel  Rachel (en)\n');
    expect(text).toContain('The voice rachel says:');
    // This server does not speak.
    expect(status).toBe(1);
  });

  it('cannot be chosen when the account has none, or does not tell them', async () => {
    const empty = using(await startAccountServer((_, response) => json(response, { voices: [], has_more: false })));
    expect(await run(`tts elevenlabs --key k --base-url ${empty.url}`)).toMatchObject({
      status: 2,
      text: expect.stringContaining('--voice is needed'),
    });
    const refusing = using(await startAccountServer((_, response) => json(response, {}, 401)));
    const { status, text } = await run(`tts cartesia --key wrong --base-url ${refusing.url}`);
    expect(text).toContain('It does not work. Cartesia did not accept the API key of this deployment.');
    expect(text).toContain('Check the key');
    expect(status).toBe(1);
  });
});

describe('embeddings', () => {
  /** A number for each letter that the words of a text begin with. */
  const vectorOf = (text: string): number[] =>
    'ohcs'.split('').map(
      (letter) =>
        text
          .toLowerCase()
          .split(/\W+/)
          .filter((word) => word.startsWith(letter)).length + 0.1,
    );
  const serve = async (vector: (text: string) => number[]) =>
    using(
      await scriptedServer((response, { body }) => {
        const data = (body['input'] as string[]).map((text, index) => ({ index, embedding: vector(text) }));
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
      }),
    );

  it('are compared', async () => {
    const { url } = await serve(vectorOf);
    const { status, text } = await run(`embeddings openai --base-url ${url}/v1 --model e-1 --tries 1`);
    expect(text).toMatch(/^Likeness: question and answer 0\.\d\d, question and something else 0\.\d\d\.$/m);
    expect(text).toContain('4 dimensions');
    expect(status).toBe(0);
  });

  it('that mean nothing are not said to work', async () => {
    const { url } = await serve(() => [1, 0, 0]);
    expect(await run(`embeddings openai --base-url ${url}/v1 --model e-1 --tries 1`)).toMatchObject({ status: 1 });
  });
});

describe('the command', () => {
  it('explains itself, with every provider', async () => {
    const { status, text } = await run('--help');
    expect(text).toContain('  stt deepgram-flux  --base-url --api-key');
    expect(text).toContain('  llm anthropic  ');
    expect(text).toContain('  tts cartesia  ');
    expect(status).toBe(0);
  });

  it.each([
    ['', 'Tries a provider'],
    ['ears', 'The first word must be one of stt, llm, tts, embeddings.'],
    ['stt unheard-of', 'For stt there are: openai, deepgram,'],
    ['stt deepgram', '--api-key or PARLEY_STT_API_KEY: is needed for deepgram'],
    ['stt deepgram --key k --tries 0', '--tries must be'],
    ['stt deepgram --key k --loud', "Unknown option '--loud'"],
  ])('"%s" is not understood', async (line, expected) => {
    const { status, text } = await run(line);
    expect(text).toContain(expected);
    expect(status).toBe(2);
  });
});
