import type { OrganizationPricesRow, SessionPriceColumns, SessionUsageRow } from './cost-tables.ts';
import type { LlmRow } from './llm-row.ts';
import type { Generated } from 'kysely';
import type { SessionGrade, SessionGradeRow } from './grade-tables.ts';
import type { SignInRow, UserRow } from './user-tables.ts';
import type { WebhookDeliveryRow, WebhookRow } from './webhook-tables.ts';
import type {
  PersonaDraftRow,
  PersonaRow,
  PersonaTestRow,
  PersonaTestRunRow,
  PersonaVersionRow,
} from './persona-tables.ts';

export type * from './grade-tables.ts';
export type * from './persona-tables.ts';

export type { LlmRow } from './llm-row.ts';

/**
 * The tables, the same in SQLite and PostgreSQL. Ids are UUID v4 texts; times are ISO 8601 texts in UTC with
 * milliseconds, so that they sort as text; `…_json` columns hold JSON text; flags are 0 or 1.
 */
export interface Database {
  organizations: OrganizationRow;
  organization_transcription: OrganizationTranscriptionRow;
  organization_prices: OrganizationPricesRow;
  api_keys: ApiKeyRow;
  users: UserRow;
  sign_ins: SignInRow;
  personas: PersonaRow;
  persona_versions: PersonaVersionRow;
  persona_drafts: PersonaDraftRow;
  persona_tests: PersonaTestRow;
  persona_test_runs: PersonaTestRunRow;
  persona_tools: { persona_id: string; tool_id: string; position: number };
  tools: ToolRow;
  mcp_servers: McpServerRow;
  persona_mcp_servers: { persona_id: string; mcp_server_id: string; position: number };
  voices: VoiceRow;
  avatars: AvatarRow;
  llms: LlmRow;
  knowledge_groups: KnowledgeGroupRow;
  knowledge_documents: KnowledgeDocumentRow;
  knowledge_chunks: KnowledgeChunkRow;
  session_tokens: SessionTokenRow;
  sessions: SessionRow;
  session_messages: SessionMessageRow;
  session_grades: SessionGradeRow;
  session_turns: { session_id: string; turn_index: number; record_json: string };
  session_tool_calls: { session_id: string; call_id: string; started_at: number; record_json: string };
  session_usage: SessionUsageRow;
  session_incidents: { id: string; session_id: string; kind: 'warning' | 'error'; code: string; at: number };
  session_events: { session_id: string; sequence: number; lines: string };
  recordings: RecordingRow;
  share_links: ShareLinkRow;
  meeting_invites: MeetingInviteRow;
  avatar_videos: AvatarVideoRow;
  uploads: UploadRow;
  webhooks: WebhookRow;
  webhook_deliveries: WebhookDeliveryRow;
  /** `ran_at`: in the time of the shared clock. */
  job_runs: { name: string; ran_at: string };
}

export interface OrganizationRow {
  id: string;
  name: string;
  /** Names of what this organization may use: `zero-data-retention`, `early-access`, `strict-region`. */
  entitlements_json: string;
  created_at: string;
}

export interface OrganizationTranscriptionRow {
  organization_id: string;
  /** ISO 639-1; null: detect. */
  language_code: string | null;
  /** Id of a recognizer; null: the operator's order. */
  recognizer: string | null;
  key_terms_json: string;
  updated_at: string;
}

export interface ApiKeyRow {
  id: string;
  organization_id: string;
  name: string;
  /** SHA-256 of the key, hex. Keys are random, so a slow hash would add nothing. */
  hash: string;
  scopes_json: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  /** Revoked together with the session tokens that it minted. */
  tokens_revoked: number;
}

export interface ToolRow {
  id: string;
  organization_id: string;
  name: string;
  description: string;
  type: 'CLIENT' | 'SERVER_RAG' | 'SERVER_WEBHOOK' | 'SYSTEM';
  /** Encrypted: webhook headers carry credentials. */
  config_cipher: string;
  disable_interruptions: number;
  created_at: string;
  updated_at: string | null;
  deleted_at: string | null;
}

export interface McpServerRow {
  id: string;
  organization_id: string;
  name: string;
  url: string;
  /** Encrypted: how to sign in, with tokens and secrets. */
  auth_cipher: string;
  /** Null: all tools. */
  allowed_tools_json: string | null;
  timeout_seconds: number;
  created_at: string;
  updated_at: string | null;
}

export interface VoiceRow {
  id: string;
  organization_id: string;
  display_name: string;
  description: string | null;
  provider: string;
  engine_provider: string;
  family: string;
  provider_voice_id: string;
  provider_model_id: string | null;
  sample_url: string | null;
  gender: string | null;
  country: string | null;
  language: string;
  display_tags_json: string;
  is_zdr: number;
  created_at: string;
  updated_at: string;
}

export interface AvatarRow {
  id: string;
  organization_id: string;
  display_name: string;
  model: string;
  engine_key: string;
  /** Blobs of the source image and of its crops. */
  image_key: string;
  image_type: string;
  landscape_key: string | null;
  portrait_key: string | null;
  description: string | null;
  render_style: string;
  display_tags_json: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface KnowledgeGroupRow {
  id: string;
  organization_id: string;
  name: string;
  description: string | null;
  created_at: string;
  updated_at: string | null;
}

export interface KnowledgeDocumentRow {
  id: string;
  organization_id: string;
  group_id: string;
  filename: string;
  file_type: string;
  file_size: number;
  blob_key: string;
  status: 'UPLOADED' | 'PROCESSING' | 'READY' | 'FAILED';
  error_message: string | null;
  /** What is doubtful of a document that was read. */
  note: string | null;
  chunk_size: number;
  chunk_overlap: number;
  /**
   * How often its reading was started. A document that is PROCESSING while nobody reads it has ended the service that
   * often.
   */
  attempts: number;
  /** Number of the reading whose passages are found. Others are not complete, or of before. */
  reading: number;
  /** Version of the readers that read it: see `READER`. */
  reader: number;
  created_at: string;
  updated_at: string | null;
}

export interface KnowledgeChunkRow {
  id: Generated<number>;
  document_id: string;
  /** Number of the reading that gave it. */
  reading: number;
  group_id: string;
  chunk_index: number;
  content: string;
  /** What it is found by: see `searchTerms`. */
  terms: string;
  metadata_json: string;
  /** SQLite: little-endian float32; PostgreSQL: an array. Null without an embedding provider. */
  embedding: Uint8Array | number[] | null;
}

export interface SessionTokenRow {
  id: string;
  organization_id: string;
  api_key_id: string | null;
  persona_id: string | null;
  /** The session request, encrypted by the vault: inline tools may contain keys. */
  request_cipher: string;
  created_at: string;
  expires_at: string;
}

export interface SessionRow extends SessionPriceColumns {
  id: string;
  organization_id: string;
  persona_id: string | null;
  /** 0: the draft. Null: the persona was in the request, or nobody noted it. */
  persona_version: number | null;
  persona_name: string;
  api_key_id: string | null;
  /** The user who started it. Neither key nor user: a visitor of a share link or a widget. */
  user_id: string | null;
  client_label: string | null;
  client_metadata_json: string | null;
  session_type: string | null;
  start_time: string;
  end_time: string | null;
  exit_status: string | null;
  end_reason: string | null;
  end_message: string | null;
  engine_id: string;
  engine_host: string | null;
  engine_protocol: string | null;
  region: string | null;
  /** The share link that started it. */
  share_link_id: string | null;
  snapshot_json: string;
  /** What is asked of it when it is over, a `Grading`. Null: nothing. */
  grading_json: string | null;
  grade: SessionGrade | null;
  zero_data_retention: number;
  /** When transcript, recording and event log were deleted by age. */
  expired_at: string | null;
  /** 1: nothing of its content is left, prompts and the client's data included. */
  is_erased: number;
  created_at: string;
  updated_at: string;
}

export interface SessionMessageRow {
  session_id: string;
  message_id: string;
  role: 'user' | 'persona';
  /** Of a meeting's participant. Null elsewhere. */
  speaker_name: string | null;
  text: string;
  at: number;
  speaking_ms: number | null;
  interrupted: number;
  /** 0: it was understood, but not taken as said to the persona. */
  for_persona: number;
}

export interface RecordingRow {
  session_id: string;
  path: string;
  duration_ms: number;
  bytes: number;
  created_at: string;
}

export interface ShareLinkRow {
  id: string;
  organization_id: string;
  persona_id: string;
  token: string;
  type: string;
  expires_at: string | null;
  usage_limit: number | null;
  usage_count: number;
  allowed_origins_json: string;
  allow_all_origins: number;
  remove_watermark: number;
  enabled: number;
  is_primary: number;
  /** What its conversations fill into the texts of the persona. */
  variable_values_json: string;
  /** `VersionShares`; null: what is live. */
  versions_json: string | null;
  created_at: string;
}

export interface MeetingInviteRow {
  id: string;
  organization_id: string;
  api_key_id: string | null;
  user_id: string | null;
  provider: string;
  meeting_url: string;
  display_name: string;
  status: 'pending' | 'active' | 'ended' | 'cancelled' | 'failed';
  join_at: string | null;
  group_call: number;
  session_id: string | null;
  region: string | null;
  join_state: string | null;
  status_reason: string | null;
  /** For people: what happened last. */
  status_message: string | null;
  /** When the persona goes into the meeting, or tries it again. */
  due_at: string;
  /** After this, no join is tried any more. */
  join_by: string;
  attempts: number;
  /** Engine that keeps a place for its session; null: it takes one that is free. */
  place_on: string | null;
  /** Engine whose process works on it, or did so last. */
  visited_from: string | null;
  /** Of the process and the attempt that work on it; null: nobody does. */
  visit_id: string | null;
  /** When that process last said that it does. */
  visit_seen_at: string | null;
  /** As with session tokens. Empty when it is over. */
  request_cipher: string;
  created_at: string;
}

export interface AvatarVideoRow {
  id: string;
  organization_id: string;
  title: string | null;
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
  script: string;
  persona_id: string | null;
  avatar_id: string;
  avatar_model: string;
  voice_id: string;
  width: number;
  height: number;
  duration_seconds: number | null;
  file_size: number | null;
  blob_key: string | null;
  error_message: string | null;
  options_json: string;
  /** 0…1 */
  progress: number;
  /** How often its making was started. */
  attempts: number;
  created_at: string;
  updated_at: string;
  completed_at: string | null;
}

/** A presigned upload that is not yet part of a resource. */
export interface UploadRow {
  id: string;
  organization_id: string;
  purpose: 'voice';
  filename: string;
  content_type: string;
  file_size: number;
  created_at: string;
}
