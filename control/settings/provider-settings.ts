import { z } from 'zod';
import type { Provider } from '../../models/provider.ts';

/**
 * The settings of one kind of provider, made from its registry: `PARLEY_<kind>_PROVIDER`, and one for each option that
 * any of its providers takes, `PARLEY_<kind>_<OPTION>`. An option of the same name is one setting for all providers
 * that have it.
 */
export class ProviderSettings<Kind extends string, P extends Provider> {
  readonly kind: Kind;
  readonly providers: readonly P[];
  readonly #byDefault: (given: ReadonlySet<string>) => string | null;
  readonly #first: ProviderSettings<string, P> | null;

  /**
   * @param byDefault which provider is used when none is named. It gets the names of the options that are set.
   * Null: none. @param first the settings whose manual says what these mean, too.
   */
  constructor(
    kind: Kind,
    providers: readonly P[],
    byDefault: (given: ReadonlySet<string>) => string | null,
    first: ProviderSettings<string, P> | null = null,
  ) {
    this.kind = kind;
    this.providers = providers;
    this.#byDefault = byDefault;
    this.#first = first;
  }

  /** The schema of the settings, without those of the options: which they are is known only here. */
  provider(description: string) {
    return {
      [this.#name('provider')]: z
        .enum(this.providers.map(({ id }) => id))
        .optional()
        .describe(description.replace('%', this.#first === null ? idsOf(this.providers) : bareIdsOf(this.providers))),
    } as Record<`PARLEY_${Kind}_PROVIDER`, z.ZodOptional<z.ZodEnum<Record<string, string>>>>;
  }

  /** One text for each option; `problems` reads them. */
  options(): Record<never, z.ZodType> {
    const byOption = Map.groupBy(
      this.providers.flatMap(({ id, options }) =>
        Object.entries(options.shape).map(([option, schema]) => ({ id, option, schema: schema as z.ZodType })),
      ),
      ({ option }) => option,
    );
    return Object.fromEntries(
      [...byOption].map(([option, known]) => [
        this.#name(option),
        z
          .string()
          .optional()
          .describe(
            this.#first === null ? manualOf(known, this.providers.length) : `As \`${this.#first.#name(option)}\`.`,
          ),
      ]),
    );
  }

  /**
   * @param settings texts by the name of the setting. @returns a line for each setting that the chosen provider cannot
   * use.
   */
  problems(settings: Readonly<Record<string, unknown>>): string[] {
    const provider = this.chosen(settings);
    if (provider === null) return [];
    const parsed = provider.options.safeParse(this.#given(provider, settings));
    return (parsed.error?.issues ?? []).map((issue) => {
      const option = issue.path[0];
      if (option === undefined) return `${this.#name('provider')}: ${provider.id} ${issue.message}`;
      const missing = settings[this.#name(String(option))] === undefined;
      return `${this.#name(String(option))}: ${missing ? `is needed for ${provider.id}` : issue.message}`;
    });
  }

  /** @param settings that have no `problems`. @returns which provider is used, with its options; null: none. */
  choice(settings: Readonly<Record<string, unknown>>): { provider: string; options: Record<string, unknown> } | null {
    const provider = this.chosen(settings);
    if (provider === null) return null;
    return { provider: provider.id, options: provider.options.parse(this.#given(provider, settings)) };
  }

  /** @returns the names of the settings of its options. */
  namesOf(provider: P): string[] {
    return Object.keys(provider.options.shape).map((option) => this.#name(option));
  }

  /** @returns the provider that is used, though its options may have problems. */
  chosen(settings: Readonly<Record<string, unknown>>): P | null {
    const options = new Set(this.providers.flatMap((provider) => Object.keys(provider.options.shape)));
    const given = new Set([...options].filter((option) => settings[this.#name(option)] !== undefined));
    const id = settings[this.#name('provider')] ?? this.#byDefault(given);
    return this.providers.find((provider) => provider.id === id) ?? null;
  }

  #given(provider: P, settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const given = Object.keys(provider.options.shape).map((option) => [option, settings[this.#name(option)]]);
    return Object.fromEntries(given.filter(([, value]) => value !== undefined));
  }

  /** `baseUrl` of the kind `STT` is `PARLEY_STT_BASE_URL`. */
  #name(option: string): string {
    return `PARLEY_${this.kind}_${option.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  }
}

/** What is said of an option: by whom it is taken, unless by all, and what it is when unset. */
function manualOf(known: readonly { readonly id: string; readonly schema: z.ZodType }[], all: number): string {
  const byText = Map.groupBy(known, ({ schema }) => `${describe(schema)}${defaultOf(schema)}`);
  return [...byText]
    .map(([text, having]) =>
      having.length === all ? text : `${having.map(({ id }) => `\`${id}\``).join(', ')}: ${text}`,
    )
    .join(' ');
}

function describe(schema: z.ZodType): string {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).description ?? '';
}

function defaultOf(schema: z.ZodType): string {
  const byDefault = schema.safeParse(undefined).data;
  return byDefault === undefined ? '' : ` Unset: \`${String(byDefault)}\`.`;
}

function bareIdsOf(providers: readonly { readonly id: string }[]): string {
  return providers.map(({ id }) => `\`${id}\``).join(', ');
}

/** @returns the ids of providers for a description, such as "`openai` (any service of that form), `cartesia`". */
export function idsOf(providers: readonly { readonly id: string; readonly about?: string }[]): string {
  return providers.map(({ id, about }) => (about === undefined ? `\`${id}\`` : `\`${id}\` (${about})`)).join(', ');
}
