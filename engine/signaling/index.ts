export {
  createSignaling,
  type AttachRealtimeClient,
  type SessionLookup,
  type Signaling,
  type SignalingSession,
} from './signaling-server.ts';
export type { Goodbye, ServerAction, SignalingSocket } from './signaling-socket.ts';
export type { AgentAudioChunk, ClientSignal } from './client-signals.ts';
export { limitReadRate } from './limit-read-rate.ts';
export { parseClientMessage } from './client-messages.ts';
