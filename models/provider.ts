import type { z } from 'zod';

/**
 * What providers of every kind have. A provider is one file that exports one of these, and the registry of its kind
 * lists it. The settings, their documentation and the start of the service read the registries.
 */
export interface Provider<Options extends z.ZodObject = z.ZodObject> {
  /** Its value in the setting of its kind, for example `PARLEY_STT_PROVIDER`. Lower case. */
  readonly id: string;
  /** A description for the documentation, if the id is not enough. */
  readonly about?: string;
  /**
   * The operator's options. Each field takes a text and has a description. `models/option-values.ts` has the usual
   * ones.
   */
  readonly options: Options;
}

/** A provider and its options as plain data, because they are copied to other threads. */
export interface ProviderChoice {
  /** Id of a provider. */
  readonly provider: string;
  /** The operator's texts after its schema. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** @param kind its name in the error message. @throws Error when no provider has this id. */
export function providerOf<P extends { readonly id: string }>(providers: readonly P[], id: string, kind: string): P {
  const provider = providers.find((known) => known.id === id);
  if (provider === undefined) throw new Error(`There is no ${kind} provider "${id}".`);
  return provider;
}
