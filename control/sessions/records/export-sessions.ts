import type { SelectQueryBuilder } from 'kysely';
import type { UsageRecord } from '../../../actors/report.ts';
import { totalOf } from '../../costs/cost-schema.ts';
import { costOf } from '../../costs/session-costs.ts';
import type { Store } from '../../store/open.ts';
import type { Database, SessionRow } from '../../store/tables.ts';
import { versionOfColumn } from '../../api/personas/version-rows.ts';
import { usageOf } from './session-usage.ts';
import { keepsTranscript, lengthMs, sourceOf, timeIn } from './session-rows.ts';

/** Rows that are read at a time. */
const STEP = 200;
/** Longest export, sessions: what a spreadsheet still opens. */
export const MAX_EXPORTED = 50_000;

type Rows = SelectQueryBuilder<Database, 'sessions', object>;

const COLUMNS = [
  'id',
  'startTime',
  'endTime',
  'durationSeconds',
  'personaId',
  'personaName',
  'source',
  'clientLabel',
  'exitStatus',
  'endReason',
  'region',
  'messages',
  'personaVersion',
  'grade',
  'summary',
  'criteria',
  'fields',
  'cost',
  'currency',
  'costIsComplete',
] as const;
type Exported = Readonly<Record<(typeof COLUMNS)[number], string | number | boolean | null>>;

/** @returns CSV (RFC 4180) with a line of names, newest first, in parts. */
export async function* csvOf(store: Store, rows: Rows): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const batch of batches(rows)) {
    const [counts, grades, usage] = await Promise.all([
      messageCounts(store, batch),
      gradesOf(store, batch),
      usageOf(store, ids(batch)),
    ]);
    const line = (row: SessionRow): string =>
      csvLine({ ...exported(row, counts.get(row.id) ?? 0, asCells(grades.get(row.id))), ...costCells(row, usage) });
    yield batch.map(line).join('');
  }
}

/** @returns one JSON text a line, newest first, in parts: the same facts, and what was said. */
export async function* jsonLinesOf(store: Store, rows: Rows): AsyncGenerator<string> {
  for await (const batch of batches(rows)) {
    const [said, grades, usage] = await Promise.all([
      transcripts(store, batch),
      gradesOf(store, batch),
      usageOf(store, ids(batch)),
    ]);
    yield batch
      .map((row) => {
        const transcript = said.get(row.id) ?? [];
        const { summary, criteria, fields } = grades.get(row.id) ?? NOT_GRADED;
        const facts = { ...exported(row, transcript.length, NO_CELLS), ...costCells(row, usage) };
        return `${JSON.stringify({ ...facts, summary, criteria, fields, transcript })}\n`;
      })
      .join('');
  }
}

async function* batches(rows: Rows): AsyncGenerator<SessionRow[]> {
  let last: Pick<SessionRow, 'created_at' | 'id'> | null = null;
  for (let count = 0; count < MAX_EXPORTED; count += STEP) {
    const after: Pick<SessionRow, 'created_at' | 'id'> | null = last;
    const rest: Rows =
      after === null
        ? rows
        : rows.where((eb) =>
            eb.or([
              eb('created_at', '<', after.created_at),
              eb.and([eb('created_at', '=', after.created_at), eb('id', '>', after.id)]),
            ]),
          );
    const batch = await rest.selectAll().orderBy('created_at', 'desc').orderBy('id').limit(STEP).execute();
    if (batch.length === 0) return;
    yield batch;
    last = batch.at(-1)!;
  }
}

function exported(row: SessionRow, messages: number, grade: GradeCells): Omit<Exported, keyof CostCells> {
  const length = lengthMs(row);
  return {
    id: row.id,
    startTime: row.start_time,
    endTime: row.end_time,
    durationSeconds: length === null ? null : length / 1_000,
    personaId: row.persona_id,
    personaName: row.persona_name,
    source: sourceOf(row),
    clientLabel: row.client_label,
    exitStatus: row.exit_status,
    endReason: row.end_reason,
    region: row.region,
    messages,
    personaVersion: versionOfColumn(row.persona_version),
    grade: row.grade,
    ...grade,
  };
}

type CostCells = Pick<Exported, 'cost' | 'currency' | 'costIsComplete'>;

function costCells(row: SessionRow, usage: ReadonlyMap<string, UsageRecord[]>): CostCells {
  const cost = totalOf(costOf(row, usage.get(row.id) ?? []));
  if (cost === null) return { cost: null, currency: null, costIsComplete: null };
  return { cost: cost.amount, currency: cost.currency, costIsComplete: cost.isComplete };
}

/** What an LLM wrote of it, as JSON where it is more than a text. */
type GradeCells = Pick<Exported, 'summary' | 'criteria' | 'fields'>;
const NO_CELLS: GradeCells = { summary: null, criteria: null, fields: null };

interface ExportedGrade {
  readonly summary: string | null;
  readonly criteria: readonly unknown[];
  readonly fields: Readonly<Record<string, unknown>> | null;
}
const NOT_GRADED: ExportedGrade = { summary: null, criteria: [], fields: null };

function asCells(grade: ExportedGrade | undefined): GradeCells {
  if (grade === undefined) return NO_CELLS;
  const { summary, criteria, fields } = grade;
  return { summary, criteria: JSON.stringify(criteria), fields: fields === null ? null : JSON.stringify(fields) };
}

async function gradesOf({ db }: Store, rows: readonly SessionRow[]): Promise<ReadonlyMap<string, ExportedGrade>> {
  const grades = await db
    .selectFrom('session_grades')
    .select(['session_id', 'content_json'])
    .where('session_id', 'in', ids(rows))
    .where('content_json', 'is not', null)
    .execute();
  return new Map(grades.map((row) => [row.session_id, JSON.parse(row.content_json!) as ExportedGrade]));
}

const csvLine = (row: Exported): string => `${COLUMNS.map((name) => csvValue(row[name])).join(',')}\r\n`;

/** Spreadsheets run what begins like a formula: a client may have written it. */
function csvValue(value: string | number | boolean | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function messageCounts({ db }: Store, rows: readonly SessionRow[]): Promise<ReadonlyMap<string, number>> {
  const counts = await db
    .selectFrom('session_messages')
    .select(({ fn }) => ['session_id', fn.countAll<number>().as('count')])
    .where('session_id', 'in', ids(rows))
    .groupBy('session_id')
    .execute();
  return new Map(counts.map(({ session_id: id, count }) => [id, Number(count)]));
}

interface Line {
  readonly role: 'user' | 'persona';
  readonly message: string;
  readonly timestamp: string;
}

async function transcripts({ db }: Store, rows: readonly SessionRow[]): Promise<ReadonlyMap<string, Line[]>> {
  const kept = new Map(rows.filter(keepsTranscript).map((row) => [row.id, row]));
  const said = await db
    .selectFrom('session_messages')
    .select(['session_id', 'role', 'text', 'at'])
    .where('session_id', 'in', ids(rows))
    .orderBy('at')
    .orderBy('message_id')
    .execute();
  const lines = new Map<string, Line[]>();
  for (const { session_id: id, role, text, at } of said) {
    const row = kept.get(id);
    if (row === undefined) continue;
    const of = lines.get(id) ?? [];
    of.push({ role, message: text, timestamp: timeIn(row, at) });
    lines.set(id, of);
  }
  return lines;
}

const ids = (rows: readonly SessionRow[]): string[] => rows.map(({ id }) => id);
