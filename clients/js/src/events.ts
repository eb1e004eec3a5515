import type { Caption } from './captions.ts';
import type { ClientError } from './errors.ts';
import type { FloorHolder } from './floor.ts';
import type { Message } from './history.ts';
import type {
  DirectorNoteCueAppliedEvent,
  MessageStreamEvent,
  PersonaConfigUpdateAppliedEvent,
  ReasoningStreamEvent,
  ServerMessage,
} from './server-messages.ts';
import type { ConnectionClosedCode, SessionEnd } from './session-end.ts';
import type { ToolCallCompletedPayload, ToolCallFailedPayload, ToolCallStartedPayload } from './tool-call.ts';

/** How the connection of a conversation is. `connecting`: the session has started. `ready`: the conversation runs. */
export type ConnectionState = 'connecting' | 'ready' | 'reconnecting' | 'closed';

/** What listeners are told: the name of each event, and the arguments of its listeners. */
export interface ClientEvents {
  /** Audio and video are connected. Once for each session. */
  CONNECTION_ESTABLISHED: [];
  /** The conversation begins: the service takes input. Once for each session. */
  SESSION_READY: [sessionId: string];
  DATA_CHANNEL_OPEN: [];
  CONNECTION_STATE_CHANGED: [state: ConnectionState];
  /** The session is over. Once for each session. */
  CONNECTION_CLOSED: [code: ConnectionClosedCode, details: string | undefined, end: SessionEnd];
  VIDEO_STREAM_STARTED: [stream: MediaStream];
  AUDIO_STREAM_STARTED: [stream: MediaStream];
  /** The first picture is shown. Only with `streamToVideoElement`. */
  VIDEO_PLAY_STARTED: [];
  /** The browser plays no sound before the user has clicked or typed. The first click turns it on. */
  AUDIO_PLAY_BLOCKED: [];

  MIC_PERMISSION_PENDING: [];
  MIC_PERMISSION_GRANTED: [];
  MIC_PERMISSION_DENIED: [message: string, error: ClientError];
  INPUT_AUDIO_STREAM_STARTED: [stream: MediaStream];
  INPUT_AUDIO_DEVICE_CHANGED: [deviceId: string];
  /** The microphone was unplugged and there is no other: the user can only type, or choose another one. */
  INPUT_AUDIO_LOST: [error: ClientError];

  USER_SPEECH_STARTED: [correlationId: string];
  USER_SPEECH_ENDED: [correlationId: string];
  /** Who speaks now. */
  FLOOR_CHANGED: [holder: FloorHolder];
  /** A piece of what is said, as it is heard. */
  MESSAGE_STREAM_EVENT_RECEIVED: [event: MessageStreamEvent];
  /** A message is complete. All messages so far, oldest first. */
  MESSAGE_HISTORY_UPDATED: [messages: readonly Message[]];
  /** The caption of the message that is spoken now, with the time of each word. */
  CAPTION_UPDATED: [caption: Caption];
  REASONING_STREAM_EVENT_RECEIVED: [event: ReasoningStreamEvent];
  REASONING_HISTORY_UPDATED: [messages: readonly Message[]];
  TALK_STREAM_INTERRUPTED: [correlationId: string];

  TOOL_CALL_STARTED: [call: ToolCallStartedPayload];
  TOOL_CALL_COMPLETED: [call: ToolCallCompletedPayload];
  TOOL_CALL_FAILED: [call: ToolCallFailedPayload];

  PERSONA_CONFIG_UPDATE_APPLIED: [update: PersonaConfigUpdateAppliedEvent];
  DIRECTOR_NOTE_CUE_APPLIED: [cue: DirectorNoteCueAppliedEvent];
  SERVER_WARNING: [message: string];
  /** Every message of the data channel, for logs and timelines. */
  SERVER_MESSAGE_RECEIVED: [message: ServerMessage];
}

/** The names of the events, for code that prefers constants. */
export const ClientEvent = {
  CONNECTION_ESTABLISHED: 'CONNECTION_ESTABLISHED',
  SESSION_READY: 'SESSION_READY',
  DATA_CHANNEL_OPEN: 'DATA_CHANNEL_OPEN',
  CONNECTION_STATE_CHANGED: 'CONNECTION_STATE_CHANGED',
  CONNECTION_CLOSED: 'CONNECTION_CLOSED',
  VIDEO_STREAM_STARTED: 'VIDEO_STREAM_STARTED',
  AUDIO_STREAM_STARTED: 'AUDIO_STREAM_STARTED',
  VIDEO_PLAY_STARTED: 'VIDEO_PLAY_STARTED',
  AUDIO_PLAY_BLOCKED: 'AUDIO_PLAY_BLOCKED',
  MIC_PERMISSION_PENDING: 'MIC_PERMISSION_PENDING',
  MIC_PERMISSION_GRANTED: 'MIC_PERMISSION_GRANTED',
  MIC_PERMISSION_DENIED: 'MIC_PERMISSION_DENIED',
  INPUT_AUDIO_STREAM_STARTED: 'INPUT_AUDIO_STREAM_STARTED',
  INPUT_AUDIO_DEVICE_CHANGED: 'INPUT_AUDIO_DEVICE_CHANGED',
  INPUT_AUDIO_LOST: 'INPUT_AUDIO_LOST',
  USER_SPEECH_STARTED: 'USER_SPEECH_STARTED',
  USER_SPEECH_ENDED: 'USER_SPEECH_ENDED',
  FLOOR_CHANGED: 'FLOOR_CHANGED',
  MESSAGE_STREAM_EVENT_RECEIVED: 'MESSAGE_STREAM_EVENT_RECEIVED',
  MESSAGE_HISTORY_UPDATED: 'MESSAGE_HISTORY_UPDATED',
  CAPTION_UPDATED: 'CAPTION_UPDATED',
  REASONING_STREAM_EVENT_RECEIVED: 'REASONING_STREAM_EVENT_RECEIVED',
  REASONING_HISTORY_UPDATED: 'REASONING_HISTORY_UPDATED',
  TALK_STREAM_INTERRUPTED: 'TALK_STREAM_INTERRUPTED',
  TOOL_CALL_STARTED: 'TOOL_CALL_STARTED',
  TOOL_CALL_COMPLETED: 'TOOL_CALL_COMPLETED',
  TOOL_CALL_FAILED: 'TOOL_CALL_FAILED',
  PERSONA_CONFIG_UPDATE_APPLIED: 'PERSONA_CONFIG_UPDATE_APPLIED',
  DIRECTOR_NOTE_CUE_APPLIED: 'DIRECTOR_NOTE_CUE_APPLIED',
  SERVER_WARNING: 'SERVER_WARNING',
  SERVER_MESSAGE_RECEIVED: 'SERVER_MESSAGE_RECEIVED',
} as const satisfies { readonly [Name in keyof ClientEvents]: Name };
