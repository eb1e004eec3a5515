import PQueue from 'p-queue';
import { z } from 'zod';
import { type App, callerOf } from '../../http/app.ts';
import { HttpError, invalid } from '../../errors/http-error.ts';
import { errorAnswers, idPath } from '../../http/schemas.ts';
import { voiceErrors } from './voice-errors.ts';
import { voiceOptionProblems } from './voice-options.ts';
import { previewVoice } from './voice-schema.ts';
import type { ControlPorts } from '../../ports.ts';
import type { References } from '../../catalogue/references.ts';
import type { Logger } from '../../../runtime/log.ts';

/** What these routes take of the service. */
export interface PreviewRoutesParts {
  readonly ports: Pick<ControlPorts, 'voiceSpeaker'>;
  readonly references: References;
  readonly log: Logger;
}

/** 300 characters take 40 s to say at half speed. A voice makes them faster than that, or it is of no use. */
const SPEAK_TIMEOUT_MS = 30_000;
/** At the same time in this process: live sessions use the same voices. */
const AT_ONCE = 2;
/** How many may wait. Further requests must be repeated later. */
const MAX_QUEUE = 8;
const RETRY_AFTER_SECONDS = 5;

const wavFile = z.any().meta({ type: 'string', format: 'binary' });

/** A text of the caller's, spoken once and not kept. */
export function previewRoutes(app: App, control: PreviewRoutesParts): void {
  const queue = new PQueue({ concurrency: AT_ONCE });

  app.post(
    '/v1/voices/:id/preview',
    {
      config: { pathId: { status: 400, missing: voiceErrors.voiceNotFound }, needsEngine: () => true },
      schema: {
        summary: 'Hear a text in a voice',
        description: 'Answers with a WAV file. Nothing of it is kept. The service of the voice may charge for it.',
        params: idPath,
        body: previewVoice,
        response: { 200: { content: { 'audio/wav': { schema: wavFile } } }, ...errorAnswers(400, 404, 429, 502) },
      },
    },
    async (request, reply) => {
      const voice = await control.references.voice(callerOf(request).organizationId, request.params.id);
      if (voice === null) throw new HttpError(voiceErrors.voiceNotFound);
      const { text, languageCode, voiceGenerationOptions } = request.body;
      const problems = voiceOptionProblems(voiceGenerationOptions, voice);
      if (problems.length > 0) throw invalid(problems);
      const speaker = control.ports.voiceSpeaker;
      if (speaker === null) throw new HttpError(voiceErrors.sampleFailed);
      if (queue.size >= MAX_QUEUE)
        throw new HttpError(voiceErrors.sampleQueueFull, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const wav = await queue.add(() =>
        speaker
          .speak({
            provider: voice.engineProvider,
            providerVoiceId: voice.providerVoiceId,
            text,
            language: languageCode ?? languageOf(voice) ?? 'en',
            tuning: { ...voice.tuning, ...voiceGenerationOptions },
            signal: AbortSignal.any([gone.signal, AbortSignal.timeout(SPEAK_TIMEOUT_MS)]),
          })
          .catch((error: unknown) => {
            control.log.warn({ err: error, provider: voice.engineProvider }, 'a voice could not be previewed');
            throw new HttpError(voiceErrors.sampleFailed);
          }),
      );
      return reply.type('audio/wav').header('cache-control', 'no-store').send(Buffer.from(wav));
    },
  );
}

/** The one that it speaks best; null: any. */
function languageOf(voice: Awaited<ReturnType<References['voice']>> & object): string | null {
  if (voice.stock === null) return voice.row.language;
  const { ownLanguages } = voice.stock;
  return ownLanguages === 'any' ? null : (ownLanguages[0] ?? null);
}
