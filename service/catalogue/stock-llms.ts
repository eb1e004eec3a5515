import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { LLM_PROVIDERS } from '../../engine/providers.ts';
import { StartError } from '../../runtime/start-error.ts';
import type { ProviderChoice } from '../../models/provider.ts';

/** An LLM that the operator offers to all organizations beside the default one. */
export interface StockLlmEntry {
  /** The operator's own name for it: the id in the API is made from it and stays the same. */
  readonly id: string;
  readonly displayName: string;
  readonly description: string | null;
  readonly isZdr: boolean;
  /** Personas that have it keep it; no persona can get it anew. */
  readonly deprecated: boolean;
  readonly choice: ProviderChoice;
}

const MAX_ENTRIES = 100;

const entries = z
  .array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be lower-case letters, digits, dots and dashes'),
      displayName: z.string().trim().min(1).max(255),
      description: z.string().max(2000).nullable().default(null),
      provider: z.enum(LLM_PROVIDERS.map(({ id }) => id)),
      /** As the settings `PARLEY_LLM_…` of the provider: `baseUrl`, `model`, `reasoningEffort` and so on. */
      options: z.record(z.string(), z.string()).default({}),
      /** Environment variable that has the key. */
      apiKeyVariable: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'must be the name of an environment variable')
        .optional(),
      isZdr: z.boolean().default(false),
      deprecated: z.boolean().default(false),
    }),
  )
  .max(MAX_ENTRIES);

/**
 * Reads the file of `PARLEY_STOCK_LLMS`. @param path null: none. @param environment has the keys.
 * @throws StartError naming what is wrong with the file; never a key.
 */
export function readStockLlms(
  path: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): StockLlmEntry[] {
  if (path === null) return [];
  const wrong = (what: string): never => {
    throw new StartError(`PARLEY_STOCK_LLMS: ${path} ${what}`);
  };
  const parsed = entries.safeParse(contentOf(path, wrong));
  if (!parsed.success) return wrong(`is not valid.\n${z.prettifyError(parsed.error)}`);
  const ids = parsed.data.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) wrong(`has "${twice}" twice.`);
  return parsed.data.map(({ id, provider, options, apiKeyVariable, ...rest }) => {
    const apiKey = apiKeyVariable === undefined ? undefined : environment[apiKeyVariable];
    if (apiKeyVariable !== undefined && !apiKey) wrong(`("${id}") needs the environment variable ${apiKeyVariable}.`);
    const schema = LLM_PROVIDERS.find((known) => known.id === provider)!.options.strict();
    const checked = schema.safeParse({ ...options, ...(apiKey !== undefined && { apiKey }) });
    if (!checked.success)
      return wrong(`("${id}") has options that ${provider} cannot use.\n${z.prettifyError(checked.error)}`);
    return { ...rest, id, choice: { provider, options: checked.data } };
  });
}

function contentOf(path: string, wrong: (what: string) => never): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return wrong(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
