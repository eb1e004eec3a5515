import type { z } from 'zod';

/**
 * What the providers of every kind have in common. A provider is one file that exports one of these; the registry of
 * its kind lists it. The settings, their documentation and the start of the service read the registries.
 */
export interface Provider<Options extends z.ZodObject = z.ZodObject> {
  /** As the setting of its kind names it, for example `PARLEY_STT_PROVIDER`. Lower case. */
  readonly id: string;
  /** For the documentation, where the id does not say it all. */
  readonly about?: string;
  /**
   * What an operator can set. Each field takes a text and has a description; `models/option-values.ts` has the usual
   * ones.
   */
  readonly options: Options;
}

/** A provider and its options as plain data: both cross to other threads. */
export interface ProviderChoice {
  /** Id of a provider. */
  readonly provider: string;
  /** What its schema made of the operator's texts. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** @param kind for the message. @throws Error when no provider has this id. */
export function providerOf<P extends { readonly id: string }>(providers: readonly P[], id: string, kind: string): P {
  const provider = providers.find((known) => known.id === id);
  if (provider === undefined) throw new Error(`There is no ${kind} provider "${id}".`);
  return provider;
}
