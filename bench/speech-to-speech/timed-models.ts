import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LiveClient } from '../../engine/session/testing/live-engine.ts';
import type { SessionConfig } from '../../actors/session-config.ts';
import type { LanguageModel } from '../../models/ports.ts';
import { createAgentModel } from '../../models/speech-to-speech/elevenlabs/agent-model.ts';
import { createSpeechModel } from '../../models/speech-to-speech/speech-model.ts';
import type { Mark, Opened, ServerName, ToServer } from './model-server.ts';

/** A scripted server of a model that hears and speaks itself, and when what happened there. */
export interface TimedModel {
  readonly name: string;
  readonly llm: LanguageModel;
  readonly config: Partial<SessionConfig>;
  /** Engine times; 0: not so far. */
  readonly marks: { asked: number; firstSound: number };
  /** A voice is heard while the persona speaks, and is over. */
  interrupt(client: LiveClient): void;
  endSpeech(): void;
  close(): Promise<void>;
}

type Served = Pick<TimedModel, 'marks' | 'endSpeech' | 'close'> & { readonly url: string; interrupt(): void };

const definition = { name: 'scripted', format: 'advanced_voice', secret: 'the-key' };

async function serve(name: ServerName): Promise<Served> {
  const worker = new Worker(new URL('model-server.ts', import.meta.url), { workerData: name });
  const marks = { asked: 0, firstSound: 0 };
  const tell = (message: ToServer): void => worker.postMessage(message);
  const [{ url }] = (await once(worker, 'message')) as [Opened];
  worker.on('message', ({ mark, at }: Mark) => {
    if (mark === 'asked') marks.asked = at;
    // Its first one after the marks were cleared.
    else marks.firstSound ||= at;
  });
  return {
    url,
    marks,
    interrupt: () => tell('interrupt'),
    endSpeech: () => tell('endSpeech'),
    async close() {
      tell('close');
      await once(worker, 'exit');
    },
  };
}

async function openAi(): Promise<TimedModel> {
  const served = await serve('openAi');
  return {
    ...served,
    name: 'OpenAI Realtime',
    llm: createSpeechModel({
      ...definition,
      urls: [{ url: served.url }],
      modelName: 'gpt-realtime',
      speech: { voice: 'marin', turns: 'server_vad', transcriptionModel: 'gpt-4o-mini-transcribe' },
    }),
    config: {},
  };
}

async function gemini(): Promise<TimedModel> {
  const served = await serve('gemini');
  const urls = [{ url: served.url }];
  return {
    ...served,
    name: 'Gemini Live',
    llm: createSpeechModel({ ...definition, urls, modelName: 'gemini-live', speech: { protocol: 'gemini' } }),
    config: {},
    interrupt: (client) => client.send('interrupt', {}),
  };
}

async function elevenLabs(): Promise<TimedModel> {
  const served = await serve('elevenLabs');
  return {
    ...served,
    name: 'an agent of ElevenLabs',
    llm: createAgentModel('An agent', { signedUrl: served.url }, {}),
    config: {
      llm: { kind: 'service', llmId: 'a', displayName: 'a', reasoningFormat: null, speaks: true, agent: true },
    },
  };
}

export const timedModels = [openAi, gemini, elevenLabs];
