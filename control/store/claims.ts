/** Says which process works on something, so that of several processes on one database no two do. */
export interface Claims {
  /** Whether other processes may work on the same database. */
  readonly areShared: boolean;
  /** @param name of the work, for example `document ID`. @returns null when somebody has it, this process included. */
  take(name: string): Promise<Claim | null>;
  close(): Promise<void>;
}

export interface Claim {
  /** Aborted when the claim is lost: another process may begin, so this one must stop. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** For a database that only this process uses. */
export function claimsInMemory(): Claims {
  const taken = new Set<string>();
  return {
    areShared: false,
    async take(name) {
      if (taken.has(name)) return null;
      taken.add(name);
      return {
        lost: new AbortController().signal,
        async release() {
          taken.delete(name);
        },
      };
    },
    async close() {},
  };
}
