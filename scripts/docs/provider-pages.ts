import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  embeddingsSettings,
  llmSettings,
  sttSettings,
  ttsSettings,
  type ProviderSettings,
} from '../../control/index.ts';
import type { Provider } from '../../models/provider.ts';

/** Pages that people write, with a table of settings that is made from the code: `<!-- settings of stt deepgram -->`. */
export const PROVIDER_PAGES = new URL('../../docs/guides/providers/', import.meta.url);

const KINDS: Readonly<Record<string, ProviderSettings<string, Provider>>> = {
  llm: llmSettings,
  stt: sttSettings,
  tts: ttsSettings,
  embeddings: embeddingsSettings,
};
const TABLE = /<!-- settings of (\w+) ([\w-]+) -->\n[^]*?<!-- end -->/g;

/** @returns the text of each page with its tables as the code has them, by file name. */
export function providerPages(): Record<string, string> {
  const names = readdirSync(PROVIDER_PAGES).filter((name) => name.endsWith('.md'));
  return Object.fromEntries(
    names.map((name) => [name, withTables(readFileSync(new URL(name, PROVIDER_PAGES), 'utf8'))]),
  );
}

/** @returns the providers that have a table on some page, such as `stt deepgram`; those of the registries. */
export function documentedProviders(): { readonly onPages: string[]; readonly known: string[] } {
  const texts = Object.values(providerPages());
  return {
    onPages: texts.flatMap((text) => [...text.matchAll(TABLE)].map(([, kind, id]) => `${kind} ${id}`)),
    known: Object.entries(KINDS).flatMap(([kind, { providers }]) => providers.map(({ id }) => `${kind} ${id}`)),
  };
}

function withTables(page: string): string {
  return page.replaceAll(TABLE, (_, kind: string, id: string) => {
    const settings = KINDS[kind];
    const provider = settings?.providers.find((known) => known.id === id);
    if (settings === undefined || provider === undefined) throw new Error(`There is no provider "${kind} ${id}".`);
    return `<!-- settings of ${kind} ${id} -->\n\n${tableOf(settings, provider)}\n\n<!-- end -->`;
  });
}

function tableOf(settings: ProviderSettings<string, Provider>, provider: Provider): string {
  const names = settings.namesOf(provider);
  if (names.length === 0) return 'It has no settings.';
  const rows = Object.values(provider.options.shape).map((field, index) => {
    const schema = field as z.ZodType;
    const { description = '' } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const unset = schema.safeParse(undefined);
    const byDefault = !unset.success ? 'is needed' : unset.data === undefined ? '' : `\`${String(unset.data)}\``;
    return `| \`${names[index]}\` | ${description.replaceAll('|', '\\|')} | ${byDefault} |`;
  });
  return ['| Setting | Meaning | Unset |', '|---|---|---|', ...rows].join('\n');
}
