import type { Refusals } from '../../errors/http-error.ts';

/** What only voices are refused for. */
export const voiceErrors = {
  voiceNotFound: [404, 'Voice not found', 'No voice that this organization can use has this id.'],
  recordingRefused: [
    400,
    'Recording not accepted',
    'The TTS service did not accept this recording, or what was said of it.',
  ],
  cloningQueueFull: [429, 'Voice cloning is busy', 'Too many recordings are being copied; try again later.'],
  cloningFailed: [502, 'Voice service failed', 'The TTS service that copies voices failed. Try again later.'],
  sampleQueueFull: [429, 'Voices are busy', 'Too many samples and previews of voices are waiting; try again later.'],
  sampleFailed: [502, 'Voice failed', 'This voice cannot be heard now: its provider failed. Try again in a minute.'],
} as const satisfies Refusals;
