/** The answer to `POST /v1/engine/session`. */
export interface StartResponse {
  readonly sessionId: string;
  readonly engineHost: string;
  readonly engineProtocol: 'http' | 'https';
  readonly signallingEndpoint: string;
  readonly clientConfig: {
    readonly heartbeatIntervalSeconds?: number;
    readonly maxWsReconnectionAttempts?: number;
    readonly iceServers: RTCIceServer[];
    readonly iceTransportPolicy?: RTCIceTransportPolicy;
  };
}

/** The path of the host is replaced by the signaling endpoint. */
export function signalingUrl(
  start: Pick<StartResponse, 'sessionId' | 'engineHost' | 'engineProtocol' | 'signallingEndpoint'>,
): string {
  const url = new URL(`${start.engineProtocol}://${start.engineHost}`);
  url.protocol = start.engineProtocol === 'http' ? 'ws:' : 'wss:';
  url.pathname = start.signallingEndpoint;
  url.search = new URLSearchParams({ session_id: start.sessionId }).toString();
  return url.href;
}
