/**
 * `ended` while it worked; `not ready`: it ended, or was ended, before it could work; `gave up`: it is not started
 * again; `stopped` by its owner; `resting`: the next one is started soon.
 */
export type WorkerErrorReason = 'ended' | 'not ready' | 'gave up' | 'stopped' | 'resting';

/** Why a worker cannot answer. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError';
  readonly reason: WorkerErrorReason;

  /** @param cause what the worker threw, if it did. */
  constructor(reason: WorkerErrorReason, message: string, cause: Error | null = null) {
    super(message, cause === null ? undefined : { cause });
    this.reason = reason;
  }
}
