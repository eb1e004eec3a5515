/** Rows of personas and of what belongs to one alone: see `tables.ts`. */
export interface PersonaRow {
  id: string;
  organization_id: string;
  name: string;
  description: string | null;
  persona_preset: string;
  avatar_id: string | null;
  avatar_model: string | null;
  voice_id: string | null;
  llm_id: string | null;
  system_prompt: string;
  personality: string | null;
  voice_speed: number | null;
  skip_greeting: number;
  uninterruptible_greeting: number;
  initial_message: string | null;
  zero_data_retention: number;
  voice_detection_options_json: string | null;
  voice_generation_options_json: string | null;
  language_code: string;
  enable_audio_passthrough: number;
  enable_session_replay: number;
  widget_config_json: string;
  director_notes_json: string | null;
  max_session_length_seconds: number | null;
  /** Number of the version that is live. */
  version: number;
  publishing_requires_tests: number;
  variables_json: string;
  /** A `Grading`. */
  grading_json: string | null;
  created_at: string;
  updated_at: string;
}

export interface PersonaVersionRow {
  persona_id: string;
  number: number;
  /** A `PersonaContent`. */
  content_json: string;
  note: string;
  origin: 'api' | 'draft' | 'rollback';
  /** Who made it live; at most one of the two. */
  api_key_id: string | null;
  user_id: string | null;
  created_at: string;
}

export interface PersonaTestRow {
  id: string;
  persona_id: string;
  name: string;
  /** A `TestDefinition`. */
  definition_json: string;
  created_at: string;
  updated_at: string;
}

export interface PersonaTestRunRow {
  id: string;
  persona_id: string;
  /** 0: the draft. */
  version: number;
  /** Of the content that was tested: SHA-256, hex. */
  content_hash: string;
  /** 1: all tests that there were. */
  covers_all: number;
  status: 'queued' | 'running' | 'passed' | 'failed' | 'cancelled';
  total: number;
  passed: number;
  failed: number;
  /** `TestResult[]`, of the tests that are over. */
  results_json: string;
  created_at: string;
  /** Moves while it runs: a run that stands still was cut off with its process. */
  updated_at: string;
}

/** What is to become of a persona: at most one draft each. */
export interface PersonaDraftRow {
  persona_id: string;
  /** A `PersonaInput`. */
  changes_json: string;
  /** What was live when the draft began. */
  base_version: number;
  updated_at: string;
}
