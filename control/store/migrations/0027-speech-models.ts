import type { Kysely } from 'kysely';

/** Settings of speech-to-speech models, beside what all LLMs have. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('llms').addColumn('speech_json', 'text').execute();
}
