import { DataPacket } from '@livekit/protocol';

/** What participants of a LiveKit room send each other over its data channels, as far as an avatar needs it. */
export type RoomData =
  | {
      readonly type: 'stream opened';
      readonly streamId: string;
      readonly topic: string;
      readonly attributes: Readonly<Record<string, string>>;
    }
  | { readonly type: 'stream chunk'; readonly streamId: string; readonly index: number; readonly content: Uint8Array }
  | { readonly type: 'stream closed'; readonly streamId: string }
  | { readonly type: 'call'; readonly id: string; readonly method: string; readonly payload: string }
  | { readonly type: 'call received'; readonly id: string }
  /** `error`: code and sentence; null: it went well. */
  | { readonly type: 'call answered'; readonly id: string; readonly error: CallError | null };

export interface CallError {
  readonly code: number;
  readonly message: string;
}

/** LiveKit's code for a method that nobody registered. */
export const UNSUPPORTED_METHOD = 1400;
/** The callers wait so long for an answer, ms. */
const ANSWER_WITHIN_MS = 8_000;
const RPC_VERSION = 1;

/** @returns null for what an avatar does not need, and for bytes that are no packet. */
export function readRoomData(bytes: Uint8Array): { readonly from: string; readonly data: RoomData } | null {
  let packet;
  try {
    packet = DataPacket.fromBinary(bytes);
  } catch {
    return null;
  }
  const data = dataOf(packet.value);
  return data && { from: packet.participantIdentity, data };
}

function dataOf(value: DataPacket['value']): RoomData | null {
  switch (value.case) {
    case 'streamHeader': {
      const { streamId, topic, attributes } = value.value;
      return { type: 'stream opened', streamId, topic, attributes };
    }
    case 'streamChunk': {
      const { streamId, chunkIndex, content } = value.value;
      return { type: 'stream chunk', streamId, index: Number(chunkIndex), content };
    }
    case 'streamTrailer':
      return { type: 'stream closed', streamId: value.value.streamId };
    case 'rpcRequest': {
      const { id, method, payload } = value.value;
      return { type: 'call', id, method, payload };
    }
    case 'rpcAck':
      return { type: 'call received', id: value.value.requestId };
    case 'rpcResponse': {
      const { requestId, value: answer } = value.value;
      const error = answer.case === 'error' ? { code: answer.value.code, message: answer.value.message } : null;
      return { type: 'call answered', id: requestId, error };
    }
    default:
      return null;
  }
}

/** Of what an avatar sends: calls, and its answers to calls. */
export type SentData =
  | Extract<RoomData, { type: 'call' }>
  | Extract<RoomData, { type: 'call received' }>
  | Extract<RoomData, { type: 'call answered' }>;

/** @param to identity of the participant that gets it. */
export function writeRoomData(data: SentData, from: string, to: string): Uint8Array {
  const route = { participantIdentity: from, destinationIdentities: [to] };
  return packetOf(data, route).toBinary();
}

function packetOf(data: SentData, route: { participantIdentity: string; destinationIdentities: string[] }): DataPacket {
  switch (data.type) {
    case 'call': {
      const { id, method, payload } = data;
      const value = { id, method, payload, responseTimeoutMs: ANSWER_WITHIN_MS, version: RPC_VERSION };
      return new DataPacket({ ...route, value: { case: 'rpcRequest', value } });
    }
    case 'call received':
      return new DataPacket({ ...route, value: { case: 'rpcAck', value: { requestId: data.id } } });
    case 'call answered': {
      const { id: requestId, error } = data;
      const value =
        error === null ? { case: 'payload' as const, value: 'ok' } : { case: 'error' as const, value: error };
      return new DataPacket({ ...route, value: { case: 'rpcResponse', value: { requestId, value } } });
    }
  }
}
