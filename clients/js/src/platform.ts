export interface Timers {
  readonly set: (run: () => void, ms: number) => unknown;
  readonly clear: (timer: unknown) => void;
}

/**
 * What a client needs of the world around it: connections, devices, the page's events and the clock. In a browser, it is
 * the browser.
 */
export interface Platform {
  readonly openPeer: (configuration: RTCConfiguration) => RTCPeerConnection;
  readonly openSocket: (url: string) => WebSocket;
  readonly createStream: (tracks?: MediaStreamTrack[]) => MediaStream;
  readonly fetch: typeof fetch;
  /** Null where the microphone is not allowed at all: browsers give it only to pages over https and on localhost. */
  readonly mediaDevices: () => Pick<MediaDevices, 'getUserMedia' | 'enumerateDevices'> | null;
  /** Whether the page is in a frame that may not use the microphone. Only Chromium tells; false where nobody knows. */
  readonly isFrameForbidden: () => boolean;
  /** Whether the user would be asked before the microphone is given. */
  readonly mustAsk: () => Promise<boolean>;
  readonly timers: Timers;
  /** Ms since 1970, from a clock that does not jump. */
  readonly now: () => number;
  /**
   * `online`: a network is there again. `pagehide`: the page goes. `devicechange`: a device was plugged in or out.
   * @returns a function that removes the listener.
   */
  readonly onPage: (event: PageEvent, listener: () => void) => () => void;
}

export type PageEvent = 'online' | 'pagehide' | 'devicechange';

export const BROWSER: Platform = {
  openPeer: (configuration) => new RTCPeerConnection(configuration),
  openSocket: (url) => new WebSocket(url),
  createStream: (tracks = []) => new MediaStream(tracks),
  fetch: (...args) => fetch(...args),
  mediaDevices: () => (navigator.mediaDevices as MediaDevices | undefined) ?? null,
  isFrameForbidden() {
    const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } };
    return window.self !== window.top && featurePolicy?.allowsFeature('microphone') === false;
  },
  async mustAsk() {
    try {
      return (await navigator.permissions.query({ name: 'microphone' as PermissionName })).state === 'prompt';
    } catch {
      // This browser does not tell.
      return true;
    }
  },
  timers: {
    set: (run, ms) => setTimeout(run, ms),
    clear: (timer) => clearTimeout(timer as number | undefined),
  },
  now: () => performance.timeOrigin + performance.now(),
  onPage(event, listener) {
    // Pages that may not use devices have none.
    const devices = navigator.mediaDevices as MediaDevices | undefined;
    const target = event === 'devicechange' ? devices : window;
    target?.addEventListener(event, listener);
    return () => target?.removeEventListener(event, listener);
  },
};
