export interface FetchOptions {
  /** @param received bytes so far. */
  readonly onProgress?: ((received: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** For a client that writes files. */
export interface ClientFetch extends FetchOptions {
  /** An empty folder for what it writes. */
  readonly folder: string;
}
