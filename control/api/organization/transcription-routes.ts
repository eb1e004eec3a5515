import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { type App, callerOf } from '../../http/app.ts';
import { detail, invalid } from '../../errors/http-error.ts';
import { errorAnswers } from '../../http/schemas.ts';
import { saveTranscription, type Transcription, transcriptionOf } from './transcription-rows.ts';
import { transcriptionResponse, updateTranscription, type TranscriptionResponse } from './transcription-schema.ts';
import type { Store } from '../../store/open.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';

/** What these routes take of the service. */
export interface TranscriptionRoutesParts {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly now: () => number;
}

/** In which language, by which recognizer and with which terms an organization's users are understood. */
export function transcriptionRoutes(app: App, { store, catalogue, now }: TranscriptionRoutesParts): void {
  const shown = (transcription: Transcription): TranscriptionResponse => ({
    ...transcription,
    keyTerms: [...transcription.keyTerms],
    recognizers: catalogue.recognizers.map(({ id, languages }) => ({
      id,
      languages: languages === 'any' ? languages : [...languages],
    })),
  });

  app.get(
    '/v1/organization/transcription',
    {
      schema: {
        summary: 'Read how speech is recognized',
        response: { 200: transcriptionResponse, ...errorAnswers() },
      },
    },
    async (request) => shown(await transcriptionOf(store, callerOf(request).organizationId)),
  );

  app.put(
    '/v1/organization/transcription',
    {
      schema: {
        summary: 'Change how speech is recognized',
        description: 'Fields that are absent stay as they are. It holds for sessions that start afterwards.',
        body: updateTranscription,
        response: { 200: transcriptionResponse, ...errorAnswers(400) },
      },
    },
    async (request) => {
      const { organizationId } = callerOf(request);
      const { recognizer } = request.body;
      const ids = catalogue.recognizers.map(({ id }) => id);
      if (typeof recognizer === 'string' && !ids.includes(recognizer))
        throw invalid([detail('recognizer', `must be one of ${ids.join(', ')}`)]);
      return shown(await saveTranscription(store, organizationId, request.body, isoTime(now())));
    },
  );
}
