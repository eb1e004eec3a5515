export { createSignalling, type SessionLookup, type Signalling, type SignallingSession } from './signalling-server.ts';
export type { ServerAction, SignallingSocket } from './signalling-socket.ts';
export type { ClientSignal } from './client-signals.ts';
export { parseClientMessage } from './client-messages.ts';
