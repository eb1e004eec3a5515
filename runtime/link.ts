/** Why a thread or a process has ended. */
export interface WorkerEnd {
  /** For a log: `exit 1`, `SIGKILL`, or the message of the error that ended it. */
  readonly how: string;
  /** What it threw; null when it ended or was killed without an exception. The error of a thread keeps its `code`. */
  readonly error: Error | null;
}

/** The owner's end of one thread or process. */
export interface Link<In> {
  /** Never throws: messages to an ended worker are dropped. @param transfer buffers that change owner (threads only) */
  post(message: In, transfer?: readonly ArrayBuffer[]): void;
  /** Ends it, whatever it does. `ended` follows; a thread inside native code first returns from it. */
  kill(): void;
}

export interface LinkHandlers<Out> {
  message(message: Out): void;
  /** Called once, after its last message. */
  ended(end: WorkerEnd): void;
}

/** Starts one thread or process. */
export type Launch<In, Out> = (handlers: LinkHandlers<Out>) => Link<In>;
