import { voiceGenerationOptionsSchema } from '../../../actors/settings/voice-options.ts';
import type { UsableVoice } from '../../catalogue/references.ts';
import type { Detail } from '../../errors/http-error.ts';
import { detailsOf } from '../../http/validation-details.ts';

/** The ranges depend on the family of the voice. */
export function voiceOptionProblems(options: unknown, voice: UsableVoice | null): Detail[] {
  if (options === null || options === undefined) return [];
  const checked = voiceGenerationOptionsSchema(voice?.family ?? null).safeParse(options);
  if (checked.success) return [];
  return detailsOf(checked.error).map((problem) => ({
    ...problem,
    path: `voiceGenerationOptions.${problem.path}`,
  }));
}
