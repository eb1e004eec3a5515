import { z } from 'zod';
import { voiceDetectionOptionsSchema } from '../../../actors/settings/voice-options.ts';

/** How one session runs, whatever its persona. */
export const sessionOptions = z
  .object({
    sessionReplay: z
      .object({ enableSessionReplay: z.boolean() })
      .partial()
      .describe('`enableSessionReplay: false` makes no recording.'),
    videoQuality: z.enum(['high', 'auto']).describe('`high` keeps the bit rate whatever the network says.'),
    videoWidth: z.number().int().min(1).max(4096),
    videoHeight: z.number().int().min(1).max(4096),
    egress: z.record(z.string(), z.unknown()),
    region: z.string().regex(/^[a-z0-9-]{1,32}$/),
    regionPolicy: z.enum(['preferred', 'strict']).describe('`strict` never leaves the region.'),
    showAIAvatarDisclosure: z.boolean(),
    showAiAvatarDisclosure: z
      .boolean()
      .describe('Older spelling of `showAIAvatarDisclosure`.')
      .meta({ deprecated: true }),
    voiceDetection: voiceDetectionOptionsSchema.pick({ endOfSpeechSensitivity: true }).loose(),
  })
  .partial()
  .meta({ id: 'SessionOptions' });
export type SessionOptions = z.infer<typeof sessionOptions>;

/**
 * Options may be beside the persona configuration or inside it. The outer ones win, key by key.
 * @param replay `enableSessionReplay`, which the persona configuration may also set.
 */
export function mergedOptions(
  inside: SessionOptions | undefined,
  outside: SessionOptions | undefined,
  replay: boolean | undefined,
): SessionOptions {
  // An empty `sessionReplay` decides nothing: it must not enable the recording that another field forbids.
  const enableSessionReplay =
    outside?.sessionReplay?.enableSessionReplay ?? inside?.sessionReplay?.enableSessionReplay ?? replay;
  const { sessionReplay: _, ...others } = { ...inside, ...outside };
  return enableSessionReplay === undefined ? others : { ...others, sessionReplay: { enableSessionReplay } };
}
