import type { Store } from '../../store/open.ts';
import type { PersonaRow, PersonaTestRow, PersonaTestRunRow } from '../../store/tables.ts';
import { HttpError } from '../../errors/http-error.ts';
import { attachedAfter, attachedTo, contentOf } from '../personas/persona-content.ts';
import { withInput } from '../personas/persona-rows.ts';
import type { PersonaContent } from '../personas/persona-schema.ts';
import {
  changesOf,
  DRAFT,
  draftOf,
  versionColumn,
  versionContent,
  type VersionNumber,
  versionOf,
  versionOfColumn,
} from '../personas/version-rows.ts';
import { personaErrors } from '../personas/persona-errors.ts';
import { contentHash } from '../personas/tested-draft.ts';
import { personaTestErrors } from './test-errors.ts';
import { type TestDefinition, testDefinition, type TestResponse, type TestResult } from './test-schema.ts';

/**
 * Nothing has been heard of a run for this time, ms: its process is gone. What runs is noted every second; what waits is
 * not noted, and runs before it may be held in sound.
 */
const CUT_OFF_MS = { running: 60_000, queued: 600_000 } as const;

export async function testsOf(store: Store, personaId: string): Promise<PersonaTestRow[]> {
  return store.db
    .selectFrom('persona_tests')
    .selectAll()
    .where('persona_id', '=', personaId)
    .orderBy('created_at')
    .orderBy('name')
    .orderBy('id')
    .execute();
}

/** @throws HttpError 404. */
export async function findTest(store: Store, personaId: string, id: string): Promise<PersonaTestRow> {
  const row = await store.db
    .selectFrom('persona_tests')
    .selectAll()
    .where('id', '=', id)
    .where('persona_id', '=', personaId)
    .executeTakeFirst();
  if (row === undefined) throw new HttpError(personaTestErrors.testNotFound);
  return row;
}

/** @throws HttpError 404. */
export async function findRun(store: Store, personaId: string, id: string): Promise<PersonaTestRunRow> {
  const row = await store.db
    .selectFrom('persona_test_runs')
    .selectAll()
    .where('id', '=', id)
    .where('persona_id', '=', personaId)
    .executeTakeFirst();
  if (row === undefined) throw new HttpError(personaTestErrors.runNotFound);
  return row;
}

/** Fields that a later Parley has get their defaults. */
export function definitionOf(row: PersonaTestRow): TestDefinition {
  return testDefinition.parse(JSON.parse(row.definition_json));
}

export function testView(row: PersonaTestRow): TestResponse {
  return {
    id: row.id,
    personaId: row.persona_id,
    name: row.name,
    ...definitionOf(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function runView(row: Omit<PersonaTestRunRow, 'results_json'>, now: number) {
  const longest = row.status === 'running' || row.status === 'queued' ? CUT_OFF_MS[row.status] : Infinity;
  const isCutOff = now - Date.parse(row.updated_at) > longest;
  return {
    id: row.id,
    version: versionOfColumn(row.version)!,
    status: isCutOff ? ('failed' as const) : row.status,
    total: row.total,
    passed: row.passed,
    failed: row.failed,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function resultsOf(row: PersonaTestRunRow): TestResult[] {
  return JSON.parse(row.results_json) as TestResult[];
}

/** What a version or the draft of a persona is now. @throws HttpError 404. */
export async function contentOfVersion(
  store: Store,
  persona: PersonaRow,
  version: VersionNumber,
): Promise<PersonaContent> {
  if (version !== DRAFT) {
    const row = await versionOf(store, persona, version);
    if (row === null) throw new HttpError(personaErrors.versionNotFound);
    return versionContent(row);
  }
  const [attached, draft] = [await attachedTo(store, persona.id), await draftOf(store, persona.id)];
  const changes = changesOf(draft);
  return contentOf(withInput(persona, changes, persona.updated_at), attachedAfter(attached, changes));
}

export function newRun(options: {
  readonly id: string;
  readonly personaId: string;
  readonly version: VersionNumber;
  readonly content: PersonaContent;
  readonly coversAll: boolean;
  readonly total: number;
  readonly at: string;
}): PersonaTestRunRow {
  return {
    id: options.id,
    persona_id: options.personaId,
    version: versionColumn(options.version)!,
    content_hash: contentHash(options.content),
    covers_all: Number(options.coversAll),
    status: 'queued',
    total: options.total,
    passed: 0,
    failed: 0,
    results_json: '[]',
    created_at: options.at,
    updated_at: options.at,
  };
}
