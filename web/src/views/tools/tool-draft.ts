import { InputError } from '../../api/problem.ts';
import type { Tool } from '../../api/types.ts';
import type { ToolDetails, ToolInput } from './tool-api.ts';
import { isObject, type Parameter, parametersOf, schemaOf } from './parameters.ts';

export const KINDS: Readonly<Record<Tool['type'], { readonly name: string; readonly hint: string }>> = {
  SERVER_WEBHOOK: { name: 'Webhook', hint: 'Parley calls an address of yours and tells the persona what it answers.' },
  SERVER_RAG: { name: 'Knowledge', hint: 'The persona looks something up in your documents.' },
  CLIENT: { name: 'In your page', hint: 'Your web page is told what the persona wants, and does it.' },
  SYSTEM: { name: 'Conversation', hint: 'The persona changes the conversation itself.' },
};

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const ACTIONS: Readonly<Record<string, string>> = {
  end_call: 'End the conversation',
  pause_conversation: 'Pause until the user speaks',
  change_language: 'Change the language',
  skip_turn: 'Stay silent for a turn',
  interrupt: 'Interrupt the user',
};

/** A tool as the form edits it; fields of other kinds keep what they have. */
export interface ToolDraft {
  readonly name: string;
  readonly description: string;
  readonly type: Tool['type'];
  readonly disableInterruptions: boolean;
  /** Null: `schemaText` is edited instead, because the schema says more than rows can show. */
  readonly parameters: readonly Parameter[] | null;
  readonly schemaText: string;
  readonly url: string;
  readonly method: string;
  /** One `Name: value` a line. */
  readonly headers: string;
  readonly bodyTemplate: string;
  /** Whether the answer of the webhook, or of the page, is waited for. */
  readonly awaits: boolean;
  readonly groupIds: readonly string[];
  readonly action: string;
  /** What the form does not show and sends as it is. */
  readonly kept: Readonly<Record<string, unknown>>;
}

export function draftOf(tool: ToolDetails | null): ToolDraft {
  const config = tool?.config ?? {};
  const parameters = parametersOf(config['parameters']);
  return {
    name: tool?.name ?? '',
    description: tool?.description ?? '',
    type: tool?.type ?? 'SERVER_WEBHOOK',
    disableInterruptions: tool?.disableInterruptions ?? false,
    parameters,
    schemaText: parameters === null ? JSON.stringify(config['parameters'], null, 2) : '',
    url: textOf(config['url']),
    method: textOf(config['method']) || 'POST',
    headers: headerLines(config['headers']),
    bodyTemplate: textOf(config['bodyTemplate']),
    awaits: (config['awaitResponse'] ?? config['awaitResult'] ?? true) === true,
    groupIds: Array.isArray(config['documentFolderIds']) ? config['documentFolderIds'] : [],
    action: textOf(config['action']) || 'end_call',
    kept: config,
  };
}

/** @throws InputError for a field that cannot be read. */
export function inputOf(draft: ToolDraft): ToolInput {
  const { name, description, type, disableInterruptions } = draft;
  return { name, description, type, disableInterruptions, config: configOf(draft) };
}

function configOf(draft: ToolDraft): Record<string, unknown> {
  const parameters = draft.parameters === null ? parsedSchema(draft.schemaText) : schemaOf(draft.parameters);
  const own = draft.parameters?.length === 0 ? {} : { parameters };
  switch (draft.type) {
    case 'SERVER_WEBHOOK':
      return {
        ...pick(draft.kept, ['queryParameters']),
        ...own,
        url: draft.url,
        method: draft.method,
        headers: headersOf(draft.headers),
        awaitResponse: draft.awaits,
        ...(draft.bodyTemplate === '' ? {} : { bodyTemplate: draft.bodyTemplate }),
      };
    case 'SERVER_RAG':
      if (draft.groupIds.length === 0)
        throw new InputError({ path: 'config.documentFolderIds', message: 'Choose at least one.' });
      return { ...own, documentFolderIds: draft.groupIds };
    case 'CLIENT':
      return { ...pick(draft.kept, ['toolTimeoutSeconds']), ...own, awaitResult: draft.awaits };
    case 'SYSTEM':
      return { action: draft.action };
  }
}

function parsedSchema(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError({ path: 'config.parameters', message: 'This is not valid JSON.' });
  }
}

/** @throws InputError that names a line without a colon. */
export function headersOf(lines: string): Record<string, string> {
  const filled = lines.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    filled.map((line) => {
      const colon = line.indexOf(':');
      if (colon < 1)
        throw new InputError({
          path: 'config.headers',
          message: `"${line.trim()}" needs a name, a colon and a value.`,
        });
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

function headerLines(headers: unknown): string {
  return isObject(headers)
    ? Object.entries(headers)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join('\n')
    : '';
}

function pick(from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
