import type { z } from 'zod';
import { type App, callerOf } from '../../http/app.ts';
import { errorAnswers } from '../../http/schemas.ts';
import type { VoiceCloning } from './clone-voice.ts';
import { MAX_UPLOADED_SAMPLE_SIZE, MAX_PREVIEW_LENGTH, voiceOptions } from './voice-schema.ts';
import type { Store } from '../../store/open.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { ControlPorts } from '../../ports.ts';

/** What these routes take of the service. */
export interface OptionsRoutesParts {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly ports: Pick<ControlPorts, 'voiceCloners'>;
}

/** What can be done with voices here, for those who show them: filters, cloning, previews. */
export function optionsRoutes(app: App, control: OptionsRoutesParts, cloning: VoiceCloning): void {
  app.get(
    '/v1/voices/options',
    {
      schema: {
        summary: 'Read what can be done with voices',
        description: 'By what the list can be filtered, and whether, where and how voices can be copied.',
        response: { 200: voiceOptions, ...errorAnswers() },
      },
    },
    async (request): Promise<z.input<typeof voiceOptions>> => {
      const own = await control.store.db
        .selectFrom('voices')
        .select(['provider', 'language'])
        .distinct()
        .where('organization_id', '=', callerOf(request).organizationId)
        .execute();
      const stock = control.catalogue.voices;
      const languages = stock.flatMap(({ ownLanguages }) => (ownLanguages === 'any' ? [] : ownLanguages));
      const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort();
      return {
        providers: sorted([...stock, ...own].map(({ provider }) => provider)),
        languages: sorted([...languages, ...own.map(({ language }) => language)]),
        longestPreview: MAX_PREVIEW_LENGTH,
        cloning: {
          available: cloning.problem === null,
          reason: cloning.problem,
          largestRecording: MAX_UPLOADED_SAMPLE_SIZE,
          services: control.ports.voiceCloners.map(({ provider, advice, languages: ofService }) => ({
            provider,
            advice,
            languages: ofService === null ? null : [...ofService],
          })),
        },
      };
    },
  );
}
