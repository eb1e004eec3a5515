import { z } from 'zod';
import { languageCodeSchema, voiceGenerationOptionsSchema } from '../../../actors/settings/voice-options.ts';
import { pageQuery, searchQuery } from '../../http/paging.ts';
import { timestamp, uuid } from '../../http/schemas.ts';

/** Largest sample sent inside a form, and largest sample sent by a signed URL, in bytes. */
export const MAX_FORM_SAMPLE_SIZE = 4_718_592;
export const MAX_UPLOADED_SAMPLE_SIZE = 52_428_800;

const name = z.string().min(1).max(255);
const cloningProvider = z
  .string()
  .max(64)
  .optional()
  .describe('Where the copy is made, as `GET /v1/voices/options` tells. Unset: the first of these services.');
/** Of the recording: `de`, or `de-AT`, of which only the first part counts. */
const recordedLanguage = z
  .string()
  .min(2)
  .max(35)
  .default('en')
  .transform((tag) => tag.toLowerCase().split(/[-_]/)[0]!);

const GENDERS = ['male', 'female', 'neutral'] as const;
export const gender = z
  .string()
  .meta({ enum: GENDERS })
  .transform((value) => value.toLowerCase())
  .pipe(z.enum(GENDERS))
  .nullable();

/** JSON form of a clone: the sample was uploaded before. */
export const createAudioOut = z
  .object({
    name,
    audioKey: z.string().min(1).max(200).describe('From `POST /v1/voices/presigned-upload`.'),
    description: z.string().max(1000).optional(),
    language: recordedLanguage,
    enhance: z.boolean().default(true).describe('Removes noise from the recording, where the service can.'),
    provider: cloningProvider,
  })
  .meta({ id: 'CreateVoice' });

/** The same as fields of a form. */
export const createVoiceForm = z.object({
  name,
  description: z.string().max(1000).optional(),
  language: recordedLanguage,
  provider: cloningProvider,
  enhance: z
    .enum(['true', 'false'])
    .default('true')
    .transform((value) => value === 'true'),
});

export const presignVoice = z
  .object({
    filename: z.string().min(1).max(255),
    contentType: z
      .string()
      .max(100)
      .regex(/^audio\/[\w.+-]+$/, 'must begin with audio/'),
    fileSize: z.number().int().min(1).max(MAX_UPLOADED_SAMPLE_SIZE),
  })
  .meta({ id: 'PresignVoice', examples: [{ filename: 'me.wav', contentType: 'audio/wav', fileSize: 480_044 }] });

export const updateVoice = z
  .object({
    displayName: name,
    providerModelId: z
      .string()
      .min(1)
      .max(128)
      .nullable()
      .optional()
      .describe(
        'Model of its service that speaks, unless a persona names one in `voiceGenerationOptions.model`. Null: ' +
          'the one that the operator has set.',
      ),
    gender: gender.optional(),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'must be an ISO 3166-1 alpha-2 code')
      .transform((code) => code.toUpperCase())
      .nullable()
      .optional(),
    description: z.string().max(1000).nullable().optional(),
  })
  .meta({ id: 'UpdateVoice', examples: [{ displayName: 'Front desk' }] });

/** Characters of a preview: two or three sentences. */
export const MAX_PREVIEW_LENGTH = 300;

export const previewVoice = z
  .object({
    text: z.string().trim().min(1).max(MAX_PREVIEW_LENGTH).describe('What to say.'),
    languageCode: languageCodeSchema.optional().describe('Unset: the language that the voice speaks best.'),
    voiceGenerationOptions: voiceGenerationOptionsSchema(null).optional(),
  })
  .meta({ id: 'PreviewVoice', examples: [{ text: 'Good evening, and welcome to the Brightwater.' }] });

export const listVoices = z.object({
  ...pageQuery(),
  search: searchQuery.describe('Part of the display name.'),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}$/, 'must be an ISO 639-1 code')
    .transform((code) => code.toLowerCase())
    .optional()
    .describe('ISO 639-1 code: only voices for this language, and those for any.'),
  gender: gender.unwrap().optional(),
  provider: z.string().max(64).optional().describe('As in the answers, for example `LOCAL`.'),
});
export type VoiceFilter = Omit<z.output<typeof listVoices>, 'page' | 'perPage'>;

export const voiceOptions = z
  .object({
    providers: z.array(z.string()).describe('Of the voices that this organization can use.'),
    languages: z.array(z.string()).describe('ISO 639-1 codes that voices were made for.'),
    longestPreview: z.number().int().describe('Characters of `POST /v1/voices/{id}/preview`.'),
    cloning: z.object({
      available: z.boolean(),
      reason: z.string().nullable().describe('Why voices cannot be copied here; null if they can.'),
      largestRecording: z.number().int().describe('Bytes of an upload. A service may accept less.'),
      services: z
        .array(
          z.object({
            provider: z.string(),
            advice: z.string().describe('What a recording should be like.'),
            languages: z.array(z.string()).nullable().describe('ISO 639-1 codes; null: any.'),
          }),
        )
        .describe('Those that can copy a voice, the preferred one first.'),
    }),
  })
  .meta({ id: 'VoiceOptions' });
export type VoiceOptions = z.infer<typeof voiceOptions>;

export const voiceResponse = z
  .object({
    id: uuid,
    displayName: z.string(),
    description: z.string().nullable(),
    provider: z.string().describe('`LOCAL` is synthesized by this service itself.'),
    providerVoiceId: z.string().nullable(),
    providerModelId: z.string().nullable().describe('As in an update.'),
    sampleUrl: z
      .string()
      .nullable()
      .describe(
        'A short recording of the voice. Made or fetched when it is first asked for. The address works for an hour.',
      ),
    previewSampleUrl: z.string().nullable().describe('The same as `sampleUrl`.'),
    gender: z.enum(['male', 'female', 'neutral']).nullable(),
    country: z.string().nullable(),
    languages: z
      .array(z.string())
      .nullable()
      .describe('ISO 639-1 codes of the languages that it was made for, the best one first. Null: any.'),
    displayTags: z.array(z.string()),
    isZdr: z.boolean(),
    createdByOrganizationId: z.string().nullable().describe('Null for built-in voices.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Voice' });
export type VoiceResponse = z.infer<typeof voiceResponse>;
