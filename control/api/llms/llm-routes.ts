import { randomUUID } from 'node:crypto';
import { findStockLlm, type Catalogue } from '../../catalogue/catalogue.ts';
import { type App, callerOf } from '../../http/app.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { detail, HttpError, invalid } from '../../errors/http-error.ts';
import { contains, metaOf, pageOf, pageWithStock } from '../../http/paging.ts';
import { emptyAnswer, errorAnswers, idPath, replacingQuery } from '../../http/schemas.ts';
import { isUsedWithoutRetention, usesInPersonas, refuseIfUsed, type ReplaceInPersonas } from '../../catalogue/uses.ts';
import { changeRow } from '../../store/change-row.ts';
import type { LlmRow } from '../../store/tables.ts';
import { checkLimits } from './llm-limits.ts';
import { customLlm, llmOf, secretProblem, stockLlmOf, withLlmInput } from './llm-rows.ts';
import { createLlm, listLlms, llmCheck, type LlmInput, llmResponse, updateLlm } from './llm-schema.ts';
import { llmErrors } from './llm-errors.ts';
import type { Store } from '../../store/open.ts';
import type { ControlPorts, LlmCheck } from '../../ports.ts';
import type { Vault } from '../../access/vault.ts';
import type { References } from '../../catalogue/references.ts';

/** What these routes take of the service. */
export interface LlmRoutesParts {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly replaceInPersonas: ReplaceInPersonas;
  readonly ports: Pick<ControlPorts, 'llms' | 'publicUrls'>;
  readonly vault: Vault;
  readonly references: References;
  readonly now: () => number;
}

const oneConfig = { pathId: { status: 404, missing: llmErrors.llmNotFound } } as const;

/**
 * How long a connection check waits for the endpoint. A server of one's own loads its model at the first request, and
 * proxies give a request of the console 60 s.
 */
const CHECK_TIMEOUT_MS = 55_000;

/** Language models: built-in ones, and the customer's own endpoints. */
export function llmRoutes(app: App, control: LlmRoutesParts): void {
  listLlmsRoute(app, control);
  addLlmRoute(app, control);
  readLlmRoute(app, control);
  changeLlmRoute(app, control);
  deleteLlmRoute(app, control);
  tryLlmRoute(app, control);
}

function listLlmsRoute(app: App, control: LlmRoutesParts): void {
  const { store, vault, catalogue } = control;
  app.get(
    '/v1/llms',
    {
      schema: {
        summary: 'List LLMs',
        querystring: listLlms,
        response: { 200: pageOf(llmResponse), ...errorAnswers(400) },
      },
    },
    async (request) => {
      const { page, perPage, search, includeDefaults } = request.query;
      let rows = store.db.selectFrom('llms').where('organization_id', '=', callerOf(request).organizationId);
      if (search !== undefined) rows = rows.where(contains('display_name', search));
      const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const stock = includeDefaults
        ? catalogue.llms
            .filter((llm) => search === undefined || llm.displayName.toLowerCase().includes(search.toLowerCase()))
            .map(stockLlmOf)
        : [];
      const read = async (offset: number, limit: number) =>
        (await rows.selectAll().orderBy('created_at', 'desc').orderBy('id').limit(limit).offset(offset).execute()).map(
          (row) => llmOf(vault, row),
        );
      const found = await pageWithStock({ page, perPage }, { count: Number(total), read }, stock);
      return { data: found.data, meta: metaOf({ page, perPage }, found.total) };
    },
  );
}

function addLlmRoute(app: App, control: LlmRoutesParts): void {
  const { store, vault } = control;
  app.post(
    '/v1/llms',
    {
      schema: {
        summary: 'Add an LLM of your own',
        body: createLlm,
        response: { 201: llmResponse, ...errorAnswers(400) },
      },
    },
    async (request, reply) => {
      await checkUrls(control, request.body);
      const id = randomUUID();
      const at = isoTime(control.now());
      const blank: LlmRow = {
        id,
        organization_id: callerOf(request).organizationId,
        display_name: '',
        description: null,
        llm_format: 'openai',
        urls_json: '[]',
        model_name: '',
        secret_cipher: '',
        temperature: null,
        max_tokens: null,
        deployment_name: null,
        api_version: null,
        metadata_json: null,
        reasoning_effort: null,
        reasoning_format: null,
        speech_json: null,
        prices_json: null,
        is_zdr: 0,
        created_at: at,
        updated_at: null,
      };
      const row = { ...withLlmInput(vault, blank, { secret: '', ...request.body }, at), updated_at: null };
      checkLimits(row);
      await store.db.insertInto('llms').values(row).execute();
      return reply.status(201).send(llmOf(vault, row));
    },
  );
}

function readLlmRoute(app: App, control: LlmRoutesParts): void {
  const { vault } = control;
  app.get(
    '/v1/llms/:id',
    {
      schema: { summary: 'Read an LLM', params: idPath, response: { 200: llmResponse, ...errorAnswers(404) } },
    },
    async (request) => {
      const llm = await control.references.llm(callerOf(request).organizationId, request.params.id);
      if (llm === null || llm.kind === 'client') throw new HttpError(llmErrors.llmNotFound);
      return llm.kind === 'stock' ? stockLlmOf(llm.stock) : llmOf(vault, llm.row);
    },
  );
}

function changeLlmRoute(app: App, control: LlmRoutesParts): void {
  const { vault } = control;
  app.put(
    '/v1/llms/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Change an LLM',
        params: idPath,
        body: updateLlm,
        response: { 200: llmResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const { organizationId } = callerOf(request);
      const own = () => ownLlm(control, organizationId, request.params.id);
      await own();
      await checkUrls(control, request.body);
      const row = await changeRow(control, 'llms', own, async (before, at) => {
        const after = withLlmInput(vault, before, request.body, at);
        checkLimits(after);
        return { after };
      });
      return llmOf(vault, row);
    },
  );
}

function deleteLlmRoute(app: App, control: LlmRoutesParts): void {
  const { store } = control;
  app.delete(
    '/v1/llms/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Delete an LLM',
        params: idPath,
        querystring: replacingQuery('refuse'),
        response: { 204: emptyAnswer, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request, reply) => {
      const row = await ownLlm(control, callerOf(request).organizationId, request.params.id);
      const users = await usesInPersonas(store, row.organization_id, 'llm_id', row.id);
      const { whenUsed, replaceWith } = request.query;
      if (replaceWith === undefined && whenUsed === 'refuse') refuseIfUsed(users);
      if (replaceWith !== undefined) await replaceLlm(control, row, replaceWith);
      await store.db.deleteFrom('llms').where('id', '=', row.id).execute();
      return reply.status(204).send(null);
    },
  );
}

/** Gives the personas of an LLM another one. @throws HttpError 400 when that one does not fit. */
async function replaceLlm(
  { store, references, replaceInPersonas }: Pick<LlmRoutesParts, 'store' | 'references' | 'replaceInPersonas'>,
  { id, organization_id: organizationId }: LlmRow,
  to: string,
): Promise<void> {
  const llm = to === id ? null : await references.llm(organizationId, to);
  if (llm === null) throw invalid([detail('replaceWith', 'LLM not found')]);
  const isZdr = llm.kind === 'client' || (llm.kind === 'stock' ? llm.stock.isZdr : llm.row.is_zdr === 1);
  if (!isZdr && (await isUsedWithoutRetention(store, organizationId, 'llm_id', id)))
    throw invalid([
      detail('replaceWith', 'A persona with zero data retention uses the LLM, and this one retains data.'),
    ]);
  await replaceInPersonas(organizationId, 'llm_id', { from: id, to });
}

function tryLlmRoute(app: App, control: LlmRoutesParts): void {
  app.post(
    '/v1/llms/:id/check',
    {
      config: oneConfig,
      schema: {
        summary: 'Ask the endpoint what a session asks',
        description:
          'A prompt, a persona that speaks first, and a tool that is called and answered. Tells whether a session could use this LLM now, and if not, why.',
        params: idPath,
        response: { 200: llmCheck, ...errorAnswers(404) },
      },
    },
    async (request) => {
      const row = await ownLlm(control, callerOf(request).organizationId, request.params.id);
      const { message, notes } = row.llm_format === 'none' ? NOTHING_WRONG : await check(control, row);
      return { ok: message === null, message, notes: [...notes] };
    },
  );
}

const NOTHING_WRONG = { message: null, notes: [] };

async function check(
  { ports, vault }: Pick<LlmRoutesParts, 'vault'> & { readonly ports: Pick<ControlPorts, 'llms'> },
  row: LlmRow,
): Promise<LlmCheck> {
  const message = secretProblem(vault, row);
  if (message !== null) return { message, notes: [] };
  return ports.llms.check(customLlm(vault, row), AbortSignal.timeout(CHECK_TIMEOUT_MS));
}

async function ownLlm(
  { store, catalogue }: Pick<LlmRoutesParts, 'store' | 'catalogue'>,
  organizationId: string,
  id: string,
): Promise<LlmRow> {
  if (findStockLlm(catalogue, id) !== null)
    throw new HttpError('forbidden', { message: 'Built-in LLMs cannot be changed or deleted.' });
  const row = await store.db
    .selectFrom('llms')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined) throw new HttpError(llmErrors.llmNotFound);
  return row;
}

/** @throws HttpError 400 naming the URLs that do not point to the public internet. */
async function checkUrls(
  { ports }: { readonly ports: Pick<ControlPorts, 'publicUrls'> },
  input: LlmInput,
): Promise<void> {
  const urls =
    input.url === undefined
      ? (input.urls ?? []).map(({ url }, index) => ({ url, path: `urls.${index}.url` }))
      : [{ url: input.url, path: 'url' }];
  const problems = await Promise.all(
    urls.map(async ({ url, path }) => {
      const problem = await ports.publicUrls.problemWith(url);
      return problem === null ? [] : [detail(path, problem)];
    }),
  );
  if (problems.flat().length > 0) throw invalid(problems.flat());
}
