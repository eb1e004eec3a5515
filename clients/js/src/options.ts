/** A reverse proxy of your own through which requests and signaling pass. Audio and video do not. */
export interface ApiGatewayOptions {
  readonly enabled: boolean;
  readonly baseUrl: string;
  /** @defaultValue '/ws' */
  readonly wsPath?: string;
}

export interface RetryOptions {
  /** With the first one; 1: no retry. @defaultValue 3 */
  readonly maxAttempts?: number;
  /** @defaultValue 250 */
  readonly initialBackoffMs?: number;
  /** @defaultValue 2000 */
  readonly maxBackoffMs?: number;
}

export interface ApiOptions {
  /**
   * Address of the service, for example `https://talk.example.com`.
   * @defaultValue the origin of the script from which the client was loaded (`/client.js`), else that of the page
   */
  readonly baseUrl?: string;
  /** @defaultValue '/v1' */
  readonly apiVersion?: string;
  /** How the start of a session is repeated after network errors, time-outs and answers with 5xx. */
  readonly retry?: RetryOptions;
  /** Of each attempt to start a session; 0: no limit. @defaultValue 10000 */
  readonly requestTimeoutMs?: number;
  readonly apiGateway?: ApiGatewayOptions;
}

export interface ClientOptions {
  readonly api?: ApiOptions;
  /** Overrides the persona's setting. 0…1: how soon the persona answers. */
  readonly voiceDetection?: { readonly endOfSpeechSensitivity?: number };
  /** The microphone to use, of `listAudioInputDevices()`. @defaultValue the browser's choice */
  readonly audioDeviceId?: string;
  /** No microphone: the user only types. @defaultValue false */
  readonly disableInputAudio?: boolean;
  /** Without a microphone, the start fails instead of going on with typing. @defaultValue false */
  readonly requireInputAudio?: boolean;
  /** Instead of those of the service. */
  readonly iceServers?: readonly RTCIceServer[];
  /** Of the peer connection, for example `{ iceTransportPolicy: 'relay' }`. */
  readonly rtcConfiguration?: RTCConfiguration;
  /** Shows in the picture that the person is an AI avatar. It can switch the label on, never off. @defaultValue as the token says */
  readonly showAIAvatarDisclosure?: boolean;
  /**
   * After a reload of the page, the conversation continues with its history. The tab remembers the session in its
   * `sessionStorage`; a text names the conversation, for pages with more than one. @defaultValue false
   */
  readonly resume?: boolean | string;
}
