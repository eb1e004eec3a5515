/** The answer to `POST /v1/engine/session`. */
export interface StartResponse {
  readonly sessionId: string;
  readonly region?: string | null;
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

/** The same through a gateway, which is told where to connect to. @param wsPath path of its WebSocket. */
export function gatewayUrl(gateway: string, wsPath: string, target: string): string {
  const url = new URL(gateway);
  url.protocol = url.protocol === 'http:' || url.protocol === 'ws:' ? 'ws:' : 'wss:';
  url.pathname = wsPath;
  url.search = new URLSearchParams({ target_url: target }).toString();
  return url.href;
}
