/** What one endpoint was found to refuse, and what is done about it. */
export type Change =
  /** The address lacks `/v1`, below which most servers are asked. */
  | 'below-v1'
  /** The path of the address is that of another interface: the server is asked at `/v1`. */
  | 'at-v1'
  /** The persona's prompt goes into the first message of the user. */
  | 'prompt-in-user'
  | 'calls-one-by-one'
  | 'calls-as-text'
  | 'without-tools'
  /** Ids of calls become nine letters and digits. */
  | 'short-ids'
  | 'new-limit-field'
  | 'old-limit-field'
  /** Reasoning goes back with all calls, or never. Usually it goes back with those of the turn. */
  | 'reasoning-always'
  | 'reasoning-never'
  /** It thought until its tokens were spent: the limit is left out. If that does not help, it is asked to think less. */
  | 'room-to-think'
  | 'less-thinking'
  | 'strict-schemas'
  | 'plain-schemas'
  | 'short-descriptions'
  | 'fewer-tools'
  | 'text-with-calls'
  /** An answer has at most so many tokens. */
  | `most-tokens:${number}`
  /** A field of the request is left out. */
  | `without:${string}`
  /** A tool is left out. */
  | `without-tool:${string}`;
