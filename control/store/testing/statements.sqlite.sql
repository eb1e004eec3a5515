-- 0001-first-schema
create table "organizations" ("id" text primary key, "name" text not null, "entitlements_json" text not null, "created_at" text not null);
create table "api_keys" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "name" text not null, "hash" text not null, "scopes_json" text not null, "created_at" text not null, "last_used_at" text, "revoked_at" text, "tokens_revoked" integer not null);
create table "personas" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "name" text not null, "description" text, "persona_preset" text not null, "avatar_id" text, "avatar_model" text, "voice_id" text, "llm_id" text, "system_prompt" text not null, "personality" text, "voice_speed" double precision, "skip_greeting" integer not null, "uninterruptible_greeting" integer not null, "initial_message" text, "zero_data_retention" integer not null, "voice_detection_options_json" text, "voice_generation_options_json" text, "language_code" text not null, "enable_audio_passthrough" integer not null, "widget_config_json" text not null, "created_at" text not null, "updated_at" text not null);
create table "tools" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "name" text not null, "description" text not null, "type" text not null, "config_cipher" text not null, "disable_interruptions" integer not null, "created_at" text not null, "updated_at" text, "deleted_at" text);
create table "voices" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "display_name" text not null, "description" text, "provider" text not null, "engine_provider" text not null, "family" text not null, "provider_voice_id" text not null, "provider_model_id" text, "sample_url" text, "gender" text, "country" text, "language" text not null, "display_tags_json" text not null, "is_zdr" integer not null, "created_at" text not null, "updated_at" text not null);
create table "avatars" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "display_name" text not null, "model" text not null, "engine_key" text not null, "image_key" text not null, "image_type" text not null, "landscape_key" text, "portrait_key" text, "description" text, "render_style" text not null, "display_tags_json" text not null, "created_at" text not null, "updated_at" text not null, "deleted_at" text);
create table "llms" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "display_name" text not null, "description" text, "llm_format" text not null, "urls_json" text not null, "model_name" text not null, "secret_cipher" text not null, "temperature" double precision, "max_tokens" integer, "deployment_name" text, "api_version" text, "metadata_json" text, "reasoning_effort" text, "reasoning_format" text, "is_zdr" integer not null, "created_at" text not null, "updated_at" text);
create table "knowledge_groups" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "name" text not null, "description" text, "created_at" text not null, "updated_at" text);
create table "session_tokens" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "api_key_id" text, "persona_id" text, "request_json" text not null, "created_at" text not null, "expires_at" text not null);
create table "sessions" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "persona_id" text, "persona_name" text not null, "api_key_id" text, "client_label" text, "client_metadata_json" text, "session_type" text, "start_time" text not null, "end_time" text, "exit_status" text, "end_reason" text, "end_message" text, "engine_id" text not null, "engine_host" text, "engine_protocol" text, "region" text, "snapshot_json" text not null, "zero_data_retention" integer not null, "expired_at" text, "created_at" text not null, "updated_at" text not null);
create table "share_links" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "persona_id" text not null, "token" text not null, "type" text not null, "expires_at" text, "usage_limit" integer, "usage_count" integer not null, "allowed_origins_json" text not null, "allow_all_origins" integer not null, "remove_watermark" integer not null, "enabled" integer not null, "is_primary" integer not null, "created_at" text not null);
create table "meeting_invites" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "api_key_id" text, "provider" text not null, "meeting_url" text not null, "display_name" text not null, "status" text not null, "join_at" text, "group_call" integer not null, "session_id" text, "region" text, "join_state" text, "status_reason" text, "request_json" text not null, "created_at" text not null);
create table "avatar_videos" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "title" text, "status" text not null, "script" text not null, "persona_id" text, "avatar_id" text not null, "avatar_model" text not null, "voice_id" text not null, "width" integer not null, "height" integer not null, "duration_seconds" double precision, "file_size" bigint, "blob_key" text, "error_message" text, "options_json" text not null, "created_at" text not null, "updated_at" text not null, "completed_at" text);
create table "uploads" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "purpose" text not null, "filename" text not null, "content_type" text not null, "file_size" bigint not null, "created_at" text not null);
create index "personas_newest" on "personas" ("organization_id", "created_at");
create index "tools_newest" on "tools" ("organization_id", "created_at");
create index "voices_newest" on "voices" ("organization_id", "created_at");
create index "avatars_newest" on "avatars" ("organization_id", "created_at");
create index "llms_newest" on "llms" ("organization_id", "created_at");
create index "knowledge_groups_newest" on "knowledge_groups" ("organization_id", "created_at");
create index "sessions_newest" on "sessions" ("organization_id", "created_at");
create index "share_links_newest" on "share_links" ("organization_id", "created_at");
create index "meeting_invites_newest" on "meeting_invites" ("organization_id", "created_at");
create index "avatar_videos_newest" on "avatar_videos" ("organization_id", "created_at");
create unique index "api_keys_hash" on "api_keys" ("hash");
create index "session_tokens_expiry" on "session_tokens" ("expires_at");
create unique index "share_links_token" on "share_links" ("token");
create index "share_links_persona" on "share_links" ("persona_id");
create index "sessions_start" on "sessions" ("start_time");
create unique index tools_name on tools (organization_id, name) where deleted_at is null;
create table "persona_tools" ("persona_id" text not null references "personas" ("id") on delete cascade, "tool_id" text not null references "tools" ("id") on delete cascade, "position" integer not null, constraint "persona_tools_key" primary key ("persona_id", "tool_id"));
create index "persona_tools_tool" on "persona_tools" ("tool_id");
create table "knowledge_documents" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "group_id" text not null references "knowledge_groups" ("id") on delete cascade, "filename" text not null, "file_type" text not null, "file_size" bigint not null, "blob_key" text not null, "status" text not null, "error_message" text, "chunk_size" integer not null, "chunk_overlap" integer not null, "created_at" text not null, "updated_at" text);
create index "knowledge_documents_group" on "knowledge_documents" ("group_id", "created_at");
create index "knowledge_documents_status" on "knowledge_documents" ("status");
create table "session_messages" ("session_id" text not null references "sessions" ("id") on delete cascade, "message_id" text not null, "role" text not null, "text" text not null, "at" double precision not null, "speaking_ms" double precision, "interrupted" integer not null, constraint "session_messages_key" primary key ("session_id", "message_id", "role"));
create table "session_turns" ("session_id" text not null references "sessions" ("id") on delete cascade, "turn_index" integer not null, "record_json" text not null, constraint "session_turns_key" primary key ("session_id", "turn_index"));
create table "session_tool_calls" ("session_id" text not null references "sessions" ("id") on delete cascade, "call_id" text not null, "started_at" double precision not null, "record_json" text not null, constraint "session_tool_calls_key" primary key ("session_id", "call_id"));
create table "session_incidents" ("session_id" text not null references "sessions" ("id") on delete cascade, "id" text primary key, "kind" text not null, "code" text not null, "at" double precision not null);
create index "session_incidents_session" on "session_incidents" ("session_id");
create table "session_events" ("session_id" text not null references "sessions" ("id") on delete cascade, "sequence" integer not null, "lines" text not null, constraint "session_events_key" primary key ("session_id", "sequence"));
create table "recordings" ("session_id" text primary key references "sessions" ("id") on delete cascade, "path" text not null, "duration_ms" double precision not null, "bytes" bigint not null, "created_at" text not null);

-- 0002-knowledge-search
create table "knowledge_chunks" ("id" integer primary key autoincrement, "document_id" text not null references "knowledge_documents" ("id") on delete cascade, "group_id" text not null, "chunk_index" integer not null, "content" text not null, "metadata_json" text not null, "embedding" blob);
create unique index "knowledge_chunks_document" on "knowledge_chunks" ("document_id", "chunk_index");
create index "knowledge_chunks_group" on "knowledge_chunks" ("group_id");
create virtual table knowledge_words using fts5(content, content='knowledge_chunks', content_rowid='id', tokenize="porter unicode61 remove_diacritics 2");
create trigger knowledge_words_insert after insert on knowledge_chunks begin insert into knowledge_words(rowid, content) values (new.id, new.content); end;
create trigger knowledge_words_delete after delete on knowledge_chunks begin insert into knowledge_words(knowledge_words, rowid, content) values ('delete', old.id, old.content); end;

-- 0003-video-progress
alter table "avatar_videos" add column "progress" double precision default 0 not null;
alter table "avatar_videos" add column "attempts" integer default 0 not null;
create index "avatar_videos_status" on "avatar_videos" ("status", "created_at");

-- 0004-sealed-tokens
delete from session_tokens;
alter table "session_tokens" rename column "request_json" to "request_cipher";

-- 0005-sealed-invites
update meeting_invites set request_json = '';
alter table "meeting_invites" rename column "request_json" to "request_cipher";

-- 0006-document-attempts
alter table "knowledge_documents" add column "attempts" integer default 0 not null;

-- 0007-session-replay
alter table "personas" add column "enable_session_replay" integer default 1 not null;

-- 0008-openai-form-of-anthropic
update llms set llm_format = 'custom' where llm_format = 'anthropic';

-- 0009-mcp-servers
create table "mcp_servers" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "name" text not null, "url" text not null, "auth_cipher" text not null, "allowed_tools_json" text, "timeout_seconds" integer not null, "created_at" text not null, "updated_at" text);
create index "mcp_servers_newest" on "mcp_servers" ("organization_id", "created_at");
create table "persona_mcp_servers" ("persona_id" text not null references "personas" ("id") on delete cascade, "mcp_server_id" text not null references "mcp_servers" ("id") on delete cascade, "position" integer not null, constraint "persona_mcp_servers_key" primary key ("persona_id", "mcp_server_id"));
create index "persona_mcp_servers_server" on "persona_mcp_servers" ("mcp_server_id");

-- 0010-share-link-sessions
alter table "sessions" add column "share_link_id" text;
create index "sessions_of_share_link" on "sessions" ("share_link_id") where "share_link_id" is not null;

-- 0011-organization-transcription
create table "organization_transcription" ("organization_id" text primary key references "organizations" ("id"), "language_code" text, "recognizer" text, "key_terms_json" text not null, "updated_at" text not null);

-- 0012-persona-style-and-length
alter table "personas" add column "director_notes_json" text;
alter table "personas" add column "max_session_length_seconds" double precision;

-- 0013-speaker-names
alter table "session_messages" add column "speaker_name" text;

-- 0014-meeting-visits
alter table "meeting_invites" add column "status_message" text;
alter table "meeting_invites" add column "due_at" text default '' not null;
alter table "meeting_invites" add column "join_by" text default '' not null;
alter table "meeting_invites" add column "attempts" integer default 0 not null;
alter table "meeting_invites" add column "place_on" text;
alter table "meeting_invites" add column "visited_from" text;
alter table "meeting_invites" add column "visit_id" text;
alter table "meeting_invites" add column "visit_seen_at" text;
update meeting_invites set status = 'failed', status_reason = 'provider_error' where status = 'pending';
create index "meeting_invites_due" on "meeting_invites" ("due_at") where "status" in ('pending', 'active');

-- 0015-job-runs
create table "job_runs" ("name" text primary key, "ran_at" text not null);

-- 0016-sessions-by-end
create index "sessions_open" on "sessions" ("engine_id") where "end_time" is null;
create index "sessions_to_expire" on "sessions" ("end_time") where "expired_at" is null;

-- 0017-erased-sessions
alter table "sessions" add column "is_erased" integer default 0 not null;
drop index "sessions_to_expire";
create index "sessions_to_erase" on "sessions" ("end_time") where "is_erased" = 0;

-- 0018-not-for-persona
alter table "session_messages" add column "for_persona" integer default 1 not null;

-- 0019-search-terms
alter table "knowledge_documents" add column "note" text;
drop trigger knowledge_words_insert;
drop trigger knowledge_words_delete;
drop table knowledge_words;
alter table "knowledge_chunks" add column "terms" text default '' not null;
create virtual table knowledge_words using fts5(terms, content='knowledge_chunks', content_rowid='id', tokenize="ascii tokenchars '_'");
insert into knowledge_words(knowledge_words) values ('rebuild');
create trigger knowledge_words_insert after insert on knowledge_chunks begin insert into knowledge_words(rowid, terms) values (new.id, new.terms); end;
create trigger knowledge_words_delete after delete on knowledge_chunks begin insert into knowledge_words(knowledge_words, rowid, terms) values ('delete', old.id, old.terms); end;

-- 0020-webhooks
create table "webhooks" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "url" text not null, "description" text, "secret_cipher" text not null, "previous_secret_cipher" text, "previous_secret_until" text, "event_types_json" text not null, "persona_ids_json" text, "enabled" integer not null, "failures_in_a_row" integer default 0 not null, "failing_since" text, "rests_until" text, "created_at" text not null, "updated_at" text);
create index "webhooks_newest" on "webhooks" ("organization_id", "created_at");
create table "webhook_deliveries" ("webhook_id" text not null references "webhooks" ("id") on delete cascade, "event_id" text not null, "event_type" text not null, "session_id" text, "persona_id" text, "data_json" text not null, "status" text not null, "attempts" integer not null, "due_at" text not null, "give_up_at" text not null, "last_attempt_at" text, "last_status" integer, "last_problem" text, "last_duration_ms" integer, "created_at" text not null, constraint "webhook_deliveries_key" primary key ("webhook_id", "event_id"));
create index "webhook_deliveries_due" on "webhook_deliveries" ("webhook_id", "due_at") where "status" = 'pending';
create index "webhook_deliveries_newest" on "webhook_deliveries" ("webhook_id", "created_at");
create index "webhook_deliveries_session" on "webhook_deliveries" ("session_id");
create index "webhook_deliveries_oldest" on "webhook_deliveries" ("created_at");

-- 0021-persona-versions
alter table "personas" add column "version" integer default 1 not null;
create table "persona_versions" ("persona_id" text not null references "personas" ("id") on delete cascade, "number" integer not null, "content_json" text not null, "note" text not null, "origin" text not null, "created_at" text not null, constraint "persona_versions_key" primary key ("persona_id", "number"));
create table "persona_drafts" ("persona_id" text primary key references "personas" ("id") on delete cascade, "changes_json" text not null, "base_version" integer not null, "updated_at" text not null);
create index "persona_drafts_oldest" on "persona_drafts" ("updated_at");
alter table "sessions" add column "persona_version" integer;

-- 0022-persona-tests
alter table "personas" add column "publishing_requires_tests" integer default 0 not null;
create table "persona_tests" ("id" text primary key, "persona_id" text not null references "personas" ("id") on delete cascade, "name" text not null, "definition_json" text not null, "created_at" text not null, "updated_at" text not null);
create index "persona_tests_of_persona" on "persona_tests" ("persona_id", "created_at");
create table "persona_test_runs" ("id" text primary key, "persona_id" text not null references "personas" ("id") on delete cascade, "version" integer not null, "content_hash" text not null, "covers_all" integer not null, "status" text not null, "total" integer not null, "passed" integer not null, "failed" integer not null, "results_json" text not null, "created_at" text not null, "updated_at" text not null);
create index "persona_test_runs_of_persona" on "persona_test_runs" ("persona_id", "created_at");

-- 0023-persona-variables
alter table "personas" add column "variables_json" text default '[]' not null;
alter table "share_links" add column "variable_values_json" text default '{}' not null;

-- 0024-session-grades
alter table "personas" add column "grading_json" text;
alter table "sessions" add column "grading_json" text;
alter table "sessions" add column "grade" text;
create table "session_grades" ("session_id" text primary key references "sessions" ("id") on delete cascade, "attempts" integer not null, "due_at" text, "problem" text, "verdicts_json" text, "content_json" text, "graded_at" text, "created_at" text not null);
create index "session_grades_due" on "session_grades" ("due_at");
create index "sessions_of_version" on "sessions" ("persona_id", "persona_version");

-- 0025-document-readings
alter table "knowledge_documents" add column "reading" integer default 0 not null;
alter table "knowledge_documents" add column "reader" integer default 0 not null;
alter table "knowledge_chunks" add column "reading" integer default 0 not null;
drop index "knowledge_chunks_document";
create unique index "knowledge_chunks_document" on "knowledge_chunks" ("document_id", "reading", "chunk_index");

-- 0026-version-shares
alter table "share_links" add column "versions_json" text;

-- 0027-speech-models
alter table "llms" add column "speech_json" text;

-- 0028-session-usage
create table "session_usage" ("session_id" text not null references "sessions" ("id") on delete cascade, "service" text not null, "provider" text not null, "place" integer not null, "amounts_json" text not null, constraint "session_usage_key" primary key ("session_id", "service", "provider", "place"));

-- 0029-users
create table "users" ("id" text primary key, "organization_id" text not null references "organizations" ("id"), "email" text not null unique, "name" text not null, "role" text not null, "password_hash" text, "invitation_hash" text unique, "invitation_until" text, "created_at" text not null, "last_sign_in_at" text, "disabled_at" text);
create index "users_newest" on "users" ("organization_id", "created_at");
create table "sign_ins" ("id" text primary key, "user_id" text not null references "users" ("id") on delete cascade, "hash" text not null unique, "created_at" text not null, "last_used_at" text not null, "expires_at" text not null);
create index "sign_ins_of_user" on "sign_ins" ("user_id");
alter table "sessions" add column "user_id" text;
alter table "meeting_invites" add column "user_id" text;
alter table "persona_versions" add column "user_id" text;
alter table "persona_versions" add column "api_key_id" text;

-- 0030-prices
alter table "llms" add column "prices_json" text;
create table "organization_prices" ("organization_id" text primary key references "organizations" ("id"), "prices_json" text not null, "updated_at" text not null);
alter table "sessions" add column "llm_id" text;
alter table "sessions" add column "prices_json" text;
alter table "sessions" add column "llm_prices_json" text;
