/** What webhooks can be told of, in the order of the documents. */
export const EVENT_TYPES = {
  'session.started': 'An engine has taken a session; its client connects next.',
  'session.ended': 'A session is over.',
  'transcript.ready': 'A session is over in which something was said, and its transcript was kept.',
  'session.graded': 'A session was graded by the criteria of its persona.',
  'recording.ready': 'The recording of a session can be fetched.',
  'video.ready': 'An avatar video can be fetched.',
  'tool.failed': 'A tool call of a session failed.',
} as const;

export type EventType = keyof typeof EVENT_TYPES;
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as [EventType, ...EventType[]];

/** Sent to one webhook on request, whatever it has chosen. */
export const TEST_EVENT = 'webhook.test';
