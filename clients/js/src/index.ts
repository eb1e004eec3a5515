export { createClient, unsafe_createClientWithApiKey } from './create-client.ts';
export type { Client } from './client.ts';
export { ClientError, type ErrorCode } from './errors.ts';
export { ClientEvent, type ClientEvents, type ConnectionState } from './events.ts';
export type { ApiGatewayOptions, ApiOptions, ClientOptions, RetryOptions } from './options.ts';
export type { ConnectionClosedCode, EndReason, SessionEnd } from './session-end.ts';
export type { Message, MessageUtterance } from './history.ts';
export type { Caption, CaptionWord } from './captions.ts';
export type { FloorHolder } from './floor.ts';
export type { AudioInputDevice, AudioPermissionState, InputAudioState } from './microphone.ts';
export type { AudioStats, ConnectionStats, MediaStats, ReceivedMediaStats, VideoStats } from './stats.ts';
export {
  DIRECTOR_NOTE_CUE_TAGS,
  type DirectorNoteCueOptions,
  type DirectorNoteCueTag,
  type PersonaConfigUpdate,
} from './client-messages.ts';
export type {
  DirectorNoteCueAppliedEvent,
  MessageStreamEvent,
  PersonaConfigUpdateAppliedEvent,
  ReasoningStreamEvent,
  ServerMessage,
} from './server-messages.ts';
export { ANY_TOOL } from './tools.ts';
export type {
  ToolCall,
  ToolCallCompletedPayload,
  ToolCallFailedPayload,
  ToolCallHandler,
  ToolCallStartedPayload,
} from './tool-call.ts';
export type { TalkMessageStream, TalkMessageStreamState } from './talk-stream.ts';
export type { AgentAudioInputConfig, AgentAudioInputStream } from './agent-audio.ts';
