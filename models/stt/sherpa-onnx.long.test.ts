import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SpeechRecognizer } from '../ports.ts';
import type { LocalRecognizer } from '../sherpa/local-model.ts';
import { childProcesses } from '../testing/child-processes.ts';
import { TINY_FINAL_TEXT, writeTinyFinalPass } from '../testing/tiny-final-pass.ts';
import { toneWords, writeTinyRecognizer } from '../testing/tiny-recognizer.ts';
import { TINY_WHISPER_TEXTS, writeTinyWhisper } from '../testing/tiny-whisper.ts';
import { createSherpaRecognizer } from './sherpa-onnx.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parley-sherpa-stt-'));
  writeTinyRecognizer(join(dir, 'streaming'));
  writeTinyFinalPass(join(dir, 'final'));
  writeTinyWhisper(join(dir, 'whisper'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const open: SpeechRecognizer[] = [];
afterEach(() => Promise.all(open.splice(0).map((recognizer) => recognizer.close())));

const run = { provider: 'cpu', threads: 1 };

type Streaming = Extract<LocalRecognizer, { streaming: object }>;

/** What understands a language, with models of the real form. */
function recognizer(changes: Partial<Streaming> = {}): Streaming {
  return {
    language: 'en',
    streaming: {
      id: 'tiny',
      folder: join(dir, 'streaming'),
      engine: {
        type: 'zipformer',
        encoder: 'encoder.onnx',
        decoder: 'decoder.onnx',
        joiner: 'joiner.onnx',
        tokens: 'tokens.txt',
        capitals: true,
      },
      ...run,
    },
    finalPass: null,
    ...changes,
  };
}
const finalPass: LocalRecognizer['finalPass'] = {
  id: 'tiny-final',
  get folder() {
    return join(dir, 'final');
  },
  engine: {
    type: 'moonshine',
    encoder: 'encoder_model.onnx',
    decoder: 'decoder_model_merged.onnx',
    tokens: 'tokens.txt',
  },
  ...run,
};

const whisper = (language: string): LocalRecognizer => ({
  language,
  streaming: null,
  finalPass: {
    id: 'tiny-whisper',
    folder: join(dir, 'whisper'),
    engine: { type: 'whisper', encoder: 'encoder.onnx', decoder: 'decoder.onnx', tokens: 'tokens.txt' },
    ...run,
  },
});

function start(recognizers: LocalRecognizer[], warn?: (message: string) => void): SpeechRecognizer {
  const started = createSherpaRecognizer(recognizers, warn);
  open.push(started);
  return started;
}

function listen(to: SpeechRecognizer, language = 'en') {
  const partials: string[] = [];
  const finals: { text: string; language: string | null }[] = [];
  const failures: Error[] = [];
  const stream = to.open({
    language,
    keyTerms: [],
    handlers: {
      partial: (text) => void partials.push(text),
      final: (text, language) => void finals.push({ text, language }),
      failed: (error) => void failures.push(error),
    },
  });
  const say = (...words: string[]) => {
    const pcm = toneWords(words);
    for (let at = 0; at < pcm.length; at += 320) stream.write(pcm.slice(at, at + 320));
  };
  return { stream, say, partials, finals, failures };
}

const recognitionProcesses = () => childProcesses('sherpa-process');

describe('neural recognition on this machine', () => {
  it('gives words while somebody speaks, in normal casing, and the last ones without waiting', async () => {
    const { stream, say, partials, finals } = listen(start([recognizer()]));
    say('GOOD', 'MORNING', 'EVERYBODY');
    await expect.poll(() => partials).toEqual(['Good', 'Good morning', 'Good morning everybody']);
    stream.finish();
    await expect.poll(() => finals).toEqual([{ text: 'Good morning everybody', language: 'en' }]);
    // Too short to be decoded before more sound follows, which does not come.
    const pcm = toneWords(['MORNING'], 100);
    stream.write(pcm);
    stream.finish();
    await expect.poll(() => finals.at(-1)?.text).toBe('Morning');
    expect(finals).toHaveLength(2);
  });

  it('understands the whole utterance once more at its end', async () => {
    const { stream, say, partials, finals } = listen(start([recognizer({ finalPass })]));
    say('GOOD', 'MORNING', 'EVERYBODY', 'GOOD');
    await expect.poll(() => partials.at(-1)).toBe('Good morning everybody good');
    stream.finish();
    await expect.poll(() => finals.map(({ text }) => text)).toEqual([TINY_FINAL_TEXT]);
  });

  it('understands whole utterances where no model gives words before, in the language that it is told', async () => {
    const shared = start([whisper('it'), whisper('pt')]);
    expect(shared.languages).toEqual(['it', 'pt']);
    for (const language of ['it', 'pt'] as const) {
      const { stream, say, partials, finals } = listen(shared, language);
      say('GOOD', 'MORNING', 'EVERYBODY');
      stream.finish();
      // The final of an utterance without words overtook the one before, which was still being understood.
      stream.finish();
      const text = TINY_WHISPER_TEXTS[language];
      await expect.poll(() => finals.map((final) => final.text)).toEqual([text, '']);
      expect(partials).toEqual([]);
    }
    // They have one model: 270 MB once, and not once for each language.
    expect(recognitionProcesses()).toHaveLength(1);
  });

  it('gives words while somebody speaks where a model only understands whole utterances: it reads them again', async () => {
    const { stream, partials, finals } = listen(start([whisper('pt')]), 'pt');
    stream.write(toneWords(['GOOD'], 1_000));
    stream.setVoice?.('off');
    await expect.poll(() => partials).toEqual([TINY_WHISPER_TEXTS.pt]);
    stream.finish();
    await expect.poll(() => finals.map((final) => final.text)).toEqual([TINY_WHISPER_TEXTS.pt]);
  });

  it('loses nothing of a long utterance that is only understood as a whole', async () => {
    const { stream, finals } = listen(start([whisper('it')]), 'it');
    for (let second = 0; second < 45; second += 1) stream.write(toneWords(['GOOD'], 1_000));
    stream.finish();
    const text = TINY_WHISPER_TEXTS.it;
    await expect.poll(() => finals.map((final) => final.text)).toEqual([`${text} ${text} ${text}`]);
  });

  it('makes nothing up where nothing was said', async () => {
    const { stream, finals } = listen(start([recognizer({ finalPass })]));
    stream.write(new Int16Array(16_000));
    stream.finish();
    stream.finish();
    await expect.poll(() => finals.map(({ text }) => text)).toEqual(['', '']);
  });

  it('keeps speakers apart, and forgets what is reset', async () => {
    const shared = start([recognizer()]);
    const [one, two] = [listen(shared), listen(shared)];
    one.say('GOOD', 'MORNING');
    two.say('EVERYBODY');
    one.stream.reset();
    two.stream.finish();
    one.say('MORNING');
    one.stream.finish();
    await expect.poll(() => one.finals.map(({ text }) => text)).toEqual(['Morning']);
    await expect.poll(() => two.finals.map(({ text }) => text)).toEqual(['Everybody']);
    expect(recognitionProcesses()).toHaveLength(1);
  });

  it('understands a sentence in whose middle its process was killed', async () => {
    const warnings: string[] = [];
    const { stream, say, partials, finals } = listen(start([recognizer()], (message) => warnings.push(message)));
    say('GOOD', 'MORNING');
    await expect.poll(() => partials).toHaveLength(2);
    for (const pid of recognitionProcesses()) process.kill(pid, 'SIGKILL');
    await expect.poll(() => warnings).toHaveLength(1);
    say('EVERYBODY');
    stream.finish();
    await expect.poll(() => finals.map(({ text }) => text)).toEqual(['Good morning everybody']);
    expect(warnings[0]).toBe('The recognition model tiny ended (SIGKILL); another takes over.');
  });

  it('starts the process of another language when it is spoken', async () => {
    const german = recognizer({ language: 'de' });
    const shared = start([recognizer(), { ...german, streaming: { ...german.streaming, id: 'tiny-de' } }]);
    expect(shared.languages).toEqual(['en', 'de']);
    expect(recognitionProcesses()).toHaveLength(1);
    const { stream, say, finals } = listen(shared, 'de');
    say('GOOD');
    stream.finish();
    await expect.poll(() => finals).toEqual([{ text: 'Good', language: 'de' }]);
    expect(recognitionProcesses()).toHaveLength(2);
  });

  it('says which model cannot be loaded, and hurts nobody else', async () => {
    const damaged = join(dir, 'damaged');
    writeTinyRecognizer(damaged);
    writeFileSync(join(damaged, 'joiner.onnx'), 'damaged');
    const warnings: string[] = [];
    const broken = recognizer();
    const shared = start(
      [recognizer(), { ...broken, language: 'de', streaming: { ...broken.streaming, id: 'broken', folder: damaged } }],
      (message) => warnings.push(message),
    );
    const german = listen(shared, 'de');
    await expect.poll(() => german.failures).toHaveLength(1);
    expect(german.failures[0]).toMatchObject({ name: 'ProviderError', code: 'unavailable' });
    expect(german.failures[0]?.message).toContain('The recognition model broken could not start');
    expect(warnings.join()).toContain('node scripts/models.ts check broken');
    const { stream, say, finals } = listen(shared);
    say('GOOD');
    stream.finish();
    await expect.poll(() => finals.map(({ text }) => text)).toEqual(['Good']);
  });

  it('leaves no process behind', async () => {
    const recognizer1 = start([recognizer()]);
    listen(recognizer1).say('GOOD');
    await recognizer1.close();
    expect(recognitionProcesses()).toEqual([]);
  });

  it('says what to do where no model is', () => {
    expect(() => createSherpaRecognizer([])).toThrow('bash scripts/start.sh --models');
  });
});
