import type { Logger } from '../../../runtime/log.ts';

/**
 * Stands between the native WebRTC library and our code: an exception in one of its callbacks would end the process, and
 * what it throws is no error that anybody can handle.
 */
export interface NativeGuard {
  /** Wraps a callback: nothing after the end, nothing thrown into native code. */
  guarded<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void;
  /** @returns false after the end, and when the library throws. */
  attempt(run: () => boolean): boolean;
  /** Closes an object of the library. */
  quietly(run: () => void): void;
  /** No callback is passed on any more. */
  end(): void;
  /** The same, for good. @returns false when that was so before. */
  release(): boolean;
}

export function nativeGuard(name: string, log: Logger): NativeGuard {
  let stage: 'open' | 'ended' | 'released' = 'open';
  return {
    guarded:
      (run) =>
      (...args) => {
        if (stage !== 'open') return;
        try {
          run(...args);
        } catch (error) {
          log.error({ peer: name, err: error }, 'a WebRTC callback failed');
        }
      },
    attempt(run) {
      if (stage !== 'open') return false;
      try {
        return run();
      } catch {
        return false;
      }
    },
    quietly(run) {
      try {
        run();
      } catch (error) {
        log.debug({ peer: name, err: error }, 'closing a WebRTC object failed');
      }
    },
    end() {
      if (stage === 'open') stage = 'ended';
    },
    release() {
      if (stage === 'released') return false;
      stage = 'released';
      return true;
    },
  };
}
