import { inProcess } from '../../runtime/in-process.ts';
import type { Requests } from '../../runtime/requests.ts';
import { SupervisedWorker } from '../../runtime/supervised-worker.ts';
import { WorkerError } from '../../runtime/worker-error.ts';
import { ProviderError, type SpeechSynthesizer, type SynthesisChunk, type SynthesisRequest } from '../ports.ts';
import type { LocalVoice } from '../sherpa/local-model.ts';
import { paceAndLoudness } from './local-tuning.ts';
import type { FromVoiceProcess, ToVoiceProcess } from './neural-protocol.ts';

const PROVIDER = 'sherpa-onnx';
/** Time before a model that could not be loaded is tried again. It may have been fetched again by then. */
const RETRY_AFTER_MS = 30_000;
/**
 * A process that sends nothing for this long hangs. A piece is a few seconds of audio and made in less than that, but
 * several sentences take turns.
 */
const STUCK_AFTER_MS = 30_000;

interface VoiceProcess {
  readonly worker: SupervisedWorker<ToVoiceProcess, FromVoiceProcess>;
  readonly sentences: Requests<ToVoiceProcess, void, SynthesisChunk>;
}

/**
 * Neural voices on this machine, with a process for each model. Word times are estimated. The process of the first
 * voice starts at once, others when one of their voices speaks.
 * @param voices the default one first.
 */
export function createNeuralVoices(voices: readonly LocalVoice[]): SpeechSynthesizer {
  const processes = new Map<string, VoiceProcess>();

  function processOf({ model }: LocalVoice): VoiceProcess {
    const known = processes.get(model.id);
    if (known !== undefined) return known;
    const worker = new SupervisedWorker<ToVoiceProcess, FromVoiceProcess>({
      name: `The voice model ${model.id}`,
      start: 'at once',
      retryAfterMs: RETRY_AFTER_MS,
      // A file that cannot be loaded once cannot be loaded the next time.
      unreadyIsFinal: true,
      launch: inProcess(new URL('neural-process.ts', import.meta.url), [JSON.stringify(model)]),
      ready: ({ type }) => type === 'ready',
      message(message) {
        if (message.type === 'chunk') sentences.item(message.id, message.chunk);
        if (message.type === 'end') sentences.resolve(message.id, undefined);
        if (message.type === 'failed')
          sentences.reject(message.id, new ProviderError(PROVIDER, 'server', 'The voice model failed.'));
      },
    });
    const sentences = worker.requests<void, SynthesisChunk>();
    const started = { worker, sentences };
    processes.set(model.id, started);
    return started;
  }

  const [first] = voices;
  if (first !== undefined) processOf(first);
  return {
    name: PROVIDER,
    family: 'local',
    synthesize(request, signal) {
      const voice = voices.find(({ name }) => name === request.voice);
      if (voice === undefined)
        throw new ProviderError(PROVIDER, 'bad-request', `There is no voice "${request.voice}".`);
      return speak(processOf(voice), voice, request, signal);
    },
    warm(request) {
      const voice = voices.find(({ name }) => name === request.voice);
      if (voice !== undefined) processOf(voice);
    },
    async close() {
      await Promise.all([...processes.values()].map(({ worker }) => worker.stop()));
    },
  };
}

function speak(
  { worker, sentences }: VoiceProcess,
  voice: LocalVoice,
  { text, language, tuning, isWaitedFor = false }: SynthesisRequest,
  signal: AbortSignal,
): ReadableStream<SynthesisChunk> {
  const given = new AbortController();
  const ended = AbortSignal.any([signal, given.signal]);
  let delivered = 0;
  const ask = (item: (chunk: SynthesisChunk) => void): Promise<void> => {
    let asked = 0;
    const cancel = () => void worker.post({ type: 'cancel', id: asked });
    ended.addEventListener('abort', cancel, { once: true });
    const order = (id: number): ToVoiceProcess => ({
      type: 'speak',
      id: (asked = id),
      text,
      language,
      isWaitedFor,
      speaker: voice.speaker,
      lang: voice.lang,
      ...paceAndLoudness(tuning),
    });
    return sentences
      .ask(order, { item, signal: ended, silenceMs: STUCK_AFTER_MS })
      .finally(() => ended.removeEventListener('abort', cancel));
  };
  return new ReadableStream<SynthesisChunk>({
    async start(controller) {
      const item = (chunk: SynthesisChunk): void => {
        delivered += 1;
        controller.enqueue(chunk);
      };
      try {
        await worker.ready();
        await ask(item).catch(async (error: unknown) => {
          // The process may have been killed by the system. What was heard is not said again.
          if (!(error instanceof WorkerError) || error.reason === 'stopped' || delivered > 0) throw error;
          await worker.ready();
          await ask(item);
        });
        controller.close();
      } catch (error) {
        if (!given.signal.aborted) controller.error(problem(error, signal));
      }
    },
    cancel: () => given.abort(),
  });
}

function problem(error: unknown, signal: AbortSignal): ProviderError {
  if (signal.aborted) return new ProviderError(PROVIDER, 'aborted', 'Speech was stopped.');
  if (error instanceof ProviderError) return error;
  const reason = error instanceof WorkerError && error.reason === 'ended' ? 'server' : 'unavailable';
  return new ProviderError(PROVIDER, reason, error instanceof Error ? error.message : 'The voice failed.', {
    cause: error,
  });
}
