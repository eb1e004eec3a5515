import { z } from 'zod';
import { LANGUAGE_CODES } from '../../actors/settings/languages.ts';
import { voiceGenerationOptionsSchema } from '../../actors/settings/voice-options.ts';
import { AVATAR_MODELS, sizesOf, takesDirectorNotes } from '../../control/catalogue/avatar-models.ts';
import { CLIENT_LLM } from '../../control/catalogue/catalogue.ts';
import { updatePersona } from '../../control/api/personas/persona-schema.ts';
import { LOCAL_TUNING } from '../../models/tts/local-tuning.ts';
import { TTS_PROVIDERS } from '../../models/tts/registry.ts';
import { LOCAL } from '../../models/tts/voices.ts';

type Schema = z.core.JSONSchema.JSONSchema;
/** Of a field: what a form needs. */
interface Rule {
  readonly [name: string]: unknown;
}

/**
 * What the console must know of the fields of a persona: their ranges, choices and defaults. It is made of the schemas
 * and lists that the service itself uses, and built into the console.
 */
export function personaFields(): string {
  // Without the id of the schema: with it, all would be a reference.
  const rules = rulesOf(z.object(updatePersona.shape));
  return `${JSON.stringify(
    {
      limits: Object.fromEntries(
        ['name', 'description', 'systemPrompt', 'personality', 'initialMessage', 'maxSessionLengthSeconds'].map(
          (name) => [name, rules[name]],
        ),
      ),
      voiceDetection: rules['voiceDetectionOptions'],
      directorNotes: rules['directorNotes'],
      widget: rules['widgetConfig'],
      voiceOptions: voiceOptions(),
      pronunciations: voiceRules('local')['pronunciations'],
      avatarModels: AVATAR_MODELS.map((id) => ({ id, ...sizesOf(id)[0], acts: takesDirectorNotes(id) })),
      languages: LANGUAGE_CODES,
      clientLlm: CLIENT_LLM,
    },
    null,
    2,
  )}\n`;
}

/** By the spelling of the HTTP API for a provider: the options that its voices use, in the order of their importance. */
function voiceOptions(): Record<string, Rule> {
  const services = [
    ...TTS_PROVIDERS.map(({ apiName, family, tuning }) => ({ apiName, family, tuning })),
    { apiName: LOCAL, family: 'local' as const, tuning: LOCAL_TUNING },
  ];
  return Object.fromEntries(
    services.map(({ apiName, family, tuning }) => {
      const known = voiceRules(family);
      return [apiName, Object.fromEntries(tuning.map((option) => [option, known[option]]))];
    }),
  );
}

const voiceRules = (family: Parameters<typeof voiceGenerationOptionsSchema>[0]): Rule =>
  rulesOf(voiceGenerationOptionsSchema(family));

function rulesOf(schema: z.ZodObject): Rule {
  return ruleOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema);
}

/** @returns of an object the rules of its fields, of anything else its limits, choices and default. */
function ruleOf(schema: Schema): Rule {
  const { anyOf, properties, items, minimum, maximum, maxLength, maxItems, enum: choices, default: usual } = schema;
  const other = anyOf?.find((one) => typeof one === 'object' && one.type !== 'null');
  if (typeof other === 'object') return ruleOf(other);
  const parts = properties ?? (typeof items === 'object' && 'properties' in items ? items.properties : undefined);
  return {
    minimum,
    maximum,
    maxLength,
    maxItems,
    choices,
    default: usual,
    ...Object.fromEntries(Object.entries(parts ?? {}).map(([name, part]) => [name, ruleOf(part as Schema)])),
  };
}
