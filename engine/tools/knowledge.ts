import type { KnowledgeHit, KnowledgeSearch, ToolDefinition } from '../../actors/session-config.ts';
import { ToolFailure, type ToolAnswer } from './webhook.ts';

export type KnowledgeTool = Extract<ToolDefinition, { kind: 'rag' }>;

/** More passages than this dilute the answer and slow the first word. */
const MAX_HITS = 5;
/** Longer questions are cut, and the LLM is told: no embedding model reads more of them well. */
const MAX_QUERY_CHARACTERS = 1000;
const CUT =
  `Only the first ${MAX_QUERY_CHARACTERS} characters of the query were searched. ` +
  'Ask again with a shorter one if this does not answer it.';
const NOTHING_FOUND = 'Nothing was found about this in the knowledge base.';

export interface KnowledgeAnswer extends ToolAnswer {
  /** Distinct file names, best hit first. */
  readonly documentsAccessed: readonly string[];
}

/** Searches the groups of a knowledge tool. @throws ToolFailure when there is no query or the search itself fails. */
export async function searchKnowledge(
  tool: KnowledgeTool,
  args: Readonly<Record<string, unknown>>,
  context: {
    readonly organizationId: string;
    readonly zeroDataRetention: boolean;
    readonly knowledge: KnowledgeSearch;
    readonly signal: AbortSignal;
  },
): Promise<KnowledgeAnswer> {
  const asked = queryOf(args);
  const query = shortened(asked);
  if (query === '') throw new ToolFailure('The knowledge search needs a query.');
  let hits: readonly KnowledgeHit[];
  try {
    hits = await context.knowledge.search({
      organizationId: context.organizationId,
      groupIds: tool.documentFolderIds,
      query,
      limit: MAX_HITS,
      zeroDataRetention: context.zeroDataRetention,
      signal: context.signal,
    });
  } catch (error) {
    throw new ToolFailure('The knowledge search failed.', { cause: error });
  }
  const found = hits.length === 0 ? NOTHING_FOUND : hits.map(passage).join('\n\n');
  const output = query === asked ? found : `${CUT}\n\n${found}`;
  return { output, result: output, documentsAccessed: [...new Set(hits.map(({ filename }) => filename))] };
}

function passage(hit: KnowledgeHit, index: number): string {
  const percent = Math.round(Math.min(1, Math.max(0, hit.score)) * 100);
  return `[Source ${index + 1} from "${hit.filename}", Relevance: ${percent}%]\n${hit.content}`;
}

/** The `query` argument, or whatever text a tool with parameters of its own was given. */
function queryOf(args: Readonly<Record<string, unknown>>): string {
  const texts =
    typeof args.query === 'string' ? [args.query] : Object.values(args).filter((value) => typeof value === 'string');
  return texts.join(' ').trim();
}

/** Without half a word, or half a character, at its end. */
function shortened(query: string): string {
  if (query.length <= MAX_QUERY_CHARACTERS) return query;
  const cut = query.slice(0, MAX_QUERY_CHARACTERS);
  const blank = cut.search(/\s\S*$/);
  return (blank > MAX_QUERY_CHARACTERS / 2 ? cut.slice(0, blank) : cut).replace(/[\uD800-\uDBFF]$/, '').trim();
}
