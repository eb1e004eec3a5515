/** Which of several providers gave a result. */
export interface ProviderUse {
  /** Id of the provider. */
  readonly provider: string;
  /** Its place in the operator's order, from 0, the preferred one. */
  readonly place: number;
}

/** What a provider has done, in the units by which it is paid. Every report counts anew: they are added up. */
export interface Amounts {
  /** Requests to an LLM, */
  readonly requests?: number;
  /** and those of them of which it is known what they cost. One that was refused costs nothing. */
  readonly reportedRequests?: number;
  /** Tokens that the LLM has read anew, */
  readonly inputTokens?: number;
  /** that it had in its cache, */
  readonly cachedInputTokens?: number;
  /** and that it has read and put there. */
  readonly cacheWriteTokens?: number;
  /** With those of its reasoning. */
  readonly outputTokens?: number;
  /** Tokens of sound, which are not among those above: that a speech-to-speech model has heard anew, */
  readonly audioInputTokens?: number;
  /** that it had in its cache, */
  readonly cachedAudioInputTokens?: number;
  /** and that it has spoken. */
  readonly audioOutputTokens?: number;
  /** Sound that a recognizer was given, ms. */
  readonly audioMs?: number;
  /** Text that a voice was given. */
  readonly characters?: number;
}

/** Which of several providers has done how much. */
export interface MeteredUse extends ProviderUse {
  readonly amounts: Amounts;
}
