import type { FromNode, ToNode } from './messages.ts';

/** The guard of this process, as a node sees it. */
export interface Guard {
  /** Resolves when the media ports can be bound. */
  portsFree(): Promise<void>;
  tell(message: Exclude<FromNode, { readonly kind: 'wantsPorts' }>): void;
}

export interface GuardHandlers {
  drain(): void;
  /** It is asked to end, or the guard is gone. */
  stop(): void;
}

/** Called once, at the start of a process that a guard has started. */
export function meetGuard({ drain, stop }: GuardHandlers): Guard {
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
