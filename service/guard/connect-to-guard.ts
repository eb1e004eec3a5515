import type { FromNode, ToNode } from './messages.ts';

/** A node's connection to its guard. */
export interface Guard {
  /** Resolves when the media ports can be bound. */
  portsFree(): Promise<void>;
  tell(message: Exclude<FromNode, { readonly kind: 'wantsPorts' }>): void;
}

export interface GuardHandlers {
  drain(): void;
  /** The guard asks the node to stop, or is gone. */
  stop(): void;
}

/** Call it once, at the start of a process that a guard has started. */
export function connectToGuard({ drain, stop }: GuardHandlers): Guard {
  let free: PromiseWithResolvers<void> | null = null;
  const tell = (message: FromNode): void => {
    // The callback keeps a broken channel from becoming an error of this process; `disconnect` reports its end.
    if (process.connected) process.send!(message, undefined, {}, () => {});
  };
  process.on('message', ({ kind }: ToNode) => {
    if (kind === 'portsFree') free?.resolve();
    else if (kind === 'drain') drain();
    else stop();
  });
  process.once('disconnect', () => {
    free?.resolve();
    stop();
  });
  return {
    portsFree() {
      free = Promise.withResolvers<void>();
      tell({ kind: 'wantsPorts' });
      return free.promise;
    },
    tell,
  };
}
