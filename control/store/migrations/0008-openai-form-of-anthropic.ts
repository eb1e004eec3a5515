import { type Kysely, sql } from 'kysely';

/**
 * Until now, the LLM format `anthropic` was the OpenAI format, for endpoints of that form. Now it is the Messages API.
 * LLMs that were added before keep their meaning under the format's other name.
 */
export async function up<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`update llms set llm_format = 'custom' where llm_format = 'anthropic'`.execute(db);
}
