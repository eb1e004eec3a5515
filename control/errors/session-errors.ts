import type { Refusals } from './http-error.ts';

/** What only sessions are refused for. */
export const sessionErrors = {
  noPlan: [402, 'No plan found', 'This organization may not start sessions.'],
  sessionNotFound: [404, 'Session not found', 'No session of this organization has this id.'],
  transcriptNotFound: [404, 'Transcript not found', 'This session keeps no transcript.'],
  recordingNotFound: [404, 'Recording not found', 'This session has no recording, or it is not finished yet.'],
  analyticsNotFound: [404, 'Analytics not found', 'There are no analytics for this session.'],
  sessionIsRunning: [409, 'Session is still running', 'Stop this session, then delete its content.'],
  concurrentSessions: [
    429,
    'Concurrent session limit reached',
    'Every session slot is taken; try again when one is free.',
  ],
  /** Clients compare the first text. */
  machineBusy: [
    429,
    'Concurrent session limit reached',
    'The machine is busy with its conversations or with other programs: one more would disturb those that are live. Try again in some seconds.',
  ],
  usageLimit: [429, 'Usage limit reached', 'The usage limit of this organization is reached.'],
  personaUnavailable: [503, 'Persona is not available', 'Conversations with this persona are not possible at present.'],
  avatarUnavailable: [
    503,
    'Avatar is unavailable',
    'The photo of this avatar is not at hand here at present; try again, or choose another avatar.',
  ],
  voiceUnavailable: [
    503,
    'Voice is unavailable',
    'The TTS service of this voice is not configured here at present; choose another voice.',
  ],
  noEngines: [503, 'No engines available', 'No engine is running that could take this session.'],
} as const satisfies Refusals;
