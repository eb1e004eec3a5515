/** What an API key may be allowed to do. Each resource declares its own. */
export interface Scope {
  /** As in keys. With `:read` after it, it limits a key to reading. */
  readonly name: string;
  /** Whether a new key has it when its scopes are not named. */
  readonly byDefault: boolean;
}
