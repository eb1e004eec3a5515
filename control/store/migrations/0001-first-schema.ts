import { type ColumnDataType, type Kysely, sql } from 'kysely';

/**
 * One column per line: `name type`, where `?` allows null. `key` is a text primary key; `org` a reference to the
 * organization. The types exist in both databases.
 */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  organizations: ['id key', 'name text', 'entitlements_json text', 'created_at text'],
  api_keys: [
    'id key',
    'organization_id org',
    'name text',
    'hash text',
    'scopes_json text',
    'created_at text',
    'last_used_at text?',
    'revoked_at text?',
    'tokens_revoked integer',
  ],
  personas: [
    'id key',
    'organization_id org',
    'name text',
    'description text?',
    'persona_preset text',
    'avatar_id text?',
    'avatar_model text?',
    'voice_id text?',
    'llm_id text?',
    'system_prompt text',
    'personality text?',
    'voice_speed double precision?',
    'skip_greeting integer',
    'uninterruptible_greeting integer',
    'initial_message text?',
    'zero_data_retention integer',
    'voice_detection_options_json text?',
    'voice_generation_options_json text?',
    'language_code text',
    'enable_audio_passthrough integer',
    'widget_config_json text',
    'created_at text',
    'updated_at text',
  ],
  tools: [
    'id key',
    'organization_id org',
    'name text',
    'description text',
    'type text',
    'config_cipher text',
    'disable_interruptions integer',
    'created_at text',
    'updated_at text?',
    'deleted_at text?',
  ],
  voices: [
    'id key',
    'organization_id org',
    'display_name text',
    'description text?',
    'provider text',
    'engine_provider text',
    'family text',
    'provider_voice_id text',
    'provider_model_id text?',
    'sample_url text?',
    'gender text?',
    'country text?',
    'language text',
    'display_tags_json text',
    'is_zdr integer',
    'created_at text',
    'updated_at text',
  ],
  avatars: [
    'id key',
    'organization_id org',
    'display_name text',
    'model text',
    'engine_key text',
    'image_key text',
    'image_type text',
    'landscape_key text?',
    'portrait_key text?',
    'description text?',
    'render_style text',
    'display_tags_json text',
    'created_at text',
    'updated_at text',
    'deleted_at text?',
  ],
  llms: [
    'id key',
    'organization_id org',
    'display_name text',
    'description text?',
    'llm_format text',
    'urls_json text',
    'model_name text',
    'secret_cipher text',
    'temperature double precision?',
    'max_tokens integer?',
    'deployment_name text?',
    'api_version text?',
    'metadata_json text?',
    'reasoning_effort text?',
    'reasoning_format text?',
    'is_zdr integer',
    'created_at text',
    'updated_at text?',
  ],
  knowledge_groups: [
    'id key',
    'organization_id org',
    'name text',
    'description text?',
    'created_at text',
    'updated_at text?',
  ],
  session_tokens: [
    'id key',
    'organization_id org',
    'api_key_id text?',
    'persona_id text?',
    'request_json text',
    'created_at text',
    'expires_at text',
  ],
  sessions: [
    'id key',
    'organization_id org',
    'persona_id text?',
    'persona_name text',
    'api_key_id text?',
    'client_label text?',
    'client_metadata_json text?',
    'session_type text?',
    'start_time text',
    'end_time text?',
    'exit_status text?',
    'end_reason text?',
    'end_message text?',
    'engine_id text',
    'engine_host text?',
    'engine_protocol text?',
    'region text?',
    'snapshot_json text',
    'zero_data_retention integer',
    'expired_at text?',
    'created_at text',
    'updated_at text',
  ],
  share_links: [
    'id key',
    'organization_id org',
    'persona_id text',
    'token text',
    'type text',
    'expires_at text?',
    'usage_limit integer?',
    'usage_count integer',
    'allowed_origins_json text',
    'allow_all_origins integer',
    'remove_watermark integer',
    'enabled integer',
    'is_primary integer',
    'created_at text',
  ],
  meeting_invites: [
    'id key',
    'organization_id org',
    'api_key_id text?',
    'provider text',
    'meeting_url text',
    'display_name text',
    'status text',
    'join_at text?',
    'group_call integer',
    'session_id text?',
    'region text?',
    'join_state text?',
    'status_reason text?',
    'request_json text',
    'created_at text',
  ],
  avatar_videos: [
    'id key',
    'organization_id org',
    'title text?',
    'status text',
    'script text',
    'persona_id text?',
    'avatar_id text',
    'avatar_model text',
    'voice_id text',
    'width integer',
    'height integer',
    'duration_seconds double precision?',
    'file_size bigint?',
    'blob_key text?',
    'error_message text?',
    'options_json text',
    'created_at text',
    'updated_at text',
    'completed_at text?',
  ],
  uploads: [
    'id key',
    'organization_id org',
    'purpose text',
    'filename text',
    'content_type text',
    'file_size bigint',
    'created_at text',
  ],
};

/** Lists are read newest first within an organization. */
const LISTED = [
  'personas',
  'tools',
  'voices',
  'avatars',
  'llms',
  'knowledge_groups',
  'sessions',
  'share_links',
  'meeting_invites',
  'avatar_videos',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(TABLES)) {
    let builder = db.schema.createTable(table);
    for (const column of columns) {
      const [name, type] = splitOnce(column);
      if (type === 'key') builder = builder.addColumn(name, 'text', (c) => c.primaryKey());
      else if (type === 'org')
        builder = builder.addColumn(name, 'text', (c) => c.notNull().references('organizations.id'));
      else if (type.endsWith('?')) builder = builder.addColumn(name, type.slice(0, -1) as ColumnDataType);
      else builder = builder.addColumn(name, type as ColumnDataType, (c) => c.notNull());
    }
    await builder.execute();
  }
  for (const table of LISTED) {
    await db.schema.createIndex(`${table}_newest`).on(table).columns(['organization_id', 'created_at']).execute();
  }
  await db.schema.createIndex('api_keys_hash').on('api_keys').column('hash').unique().execute();
  await db.schema.createIndex('session_tokens_expiry').on('session_tokens').column('expires_at').execute();
  await db.schema.createIndex('share_links_token').on('share_links').column('token').unique().execute();
  await db.schema.createIndex('share_links_persona').on('share_links').column('persona_id').execute();
  await db.schema.createIndex('sessions_start').on('sessions').column('start_time').execute();
  await sql`create unique index tools_name on tools (organization_id, name) where deleted_at is null`.execute(db);
  await createParts(db);
}

/** Rows that belong to another row and go with it. */
async function createParts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('persona_tools')
    .addColumn('persona_id', 'text', (c) => c.notNull().references('personas.id').onDelete('cascade'))
    .addColumn('tool_id', 'text', (c) => c.notNull().references('tools.id').onDelete('cascade'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('persona_tools_key', ['persona_id', 'tool_id'])
    .execute();
  await db.schema.createIndex('persona_tools_tool').on('persona_tools').column('tool_id').execute();

  await db.schema
    .createTable('knowledge_documents')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('group_id', 'text', (c) => c.notNull().references('knowledge_groups.id').onDelete('cascade'))
    .addColumn('filename', 'text', (c) => c.notNull())
    .addColumn('file_type', 'text', (c) => c.notNull())
    .addColumn('file_size', 'bigint', (c) => c.notNull())
    .addColumn('blob_key', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('error_message', 'text')
    .addColumn('chunk_size', 'integer', (c) => c.notNull())
    .addColumn('chunk_overlap', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text')
    .execute();
  await db.schema
    .createIndex('knowledge_documents_group')
    .on('knowledge_documents')
    .columns(['group_id', 'created_at'])
    .execute();
  await db.schema.createIndex('knowledge_documents_status').on('knowledge_documents').column('status').execute();

  const session = (table: string) =>
    db.schema
      .createTable(table)
      .addColumn('session_id', 'text', (c) => c.notNull().references('sessions.id').onDelete('cascade'));
  await session('session_messages')
    .addColumn('message_id', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('at', 'double precision', (c) => c.notNull())
    .addColumn('speaking_ms', 'double precision')
    .addColumn('interrupted', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('session_messages_key', ['session_id', 'message_id', 'role'])
    .execute();
  await session('session_turns')
    .addColumn('turn_index', 'integer', (c) => c.notNull())
    .addColumn('record_json', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('session_turns_key', ['session_id', 'turn_index'])
    .execute();
  await session('session_tool_calls')
    .addColumn('call_id', 'text', (c) => c.notNull())
    .addColumn('started_at', 'double precision', (c) => c.notNull())
    .addColumn('record_json', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('session_tool_calls_key', ['session_id', 'call_id'])
    .execute();
  await session('session_incidents')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('code', 'text', (c) => c.notNull())
    .addColumn('at', 'double precision', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('session_incidents_session').on('session_incidents').column('session_id').execute();
  await session('session_events')
    .addColumn('sequence', 'integer', (c) => c.notNull())
    .addColumn('lines', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('session_events_key', ['session_id', 'sequence'])
    .execute();
  await db.schema
    .createTable('recordings')
    .addColumn('session_id', 'text', (c) => c.primaryKey().references('sessions.id').onDelete('cascade'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('duration_ms', 'double precision', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
}

function splitOnce(column: string): [string, string] {
  const space = column.indexOf(' ');
  return [column.slice(0, space), column.slice(space + 1)];
}
