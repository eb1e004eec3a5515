import { ttsServices, type Settings } from '../../control/index.ts';
import { sttProvider, type LocalModels } from '../../engine/index.ts';
import { recognizers, stockLlms } from '../settings/engine-settings.ts';
import { modelLine } from './model-line.ts';
import type { OpenService } from '../service.ts';

/** What a person sees after the start: where to go, and what is not the real thing yet. */
export function banner(
  settings: Settings,
  service: Pick<OpenService, 'url' | 'firstKey' | 'local' | 'meetingsUnavailable'>,
): string {
  if (settings.PARLEY_ROLE === 'engine')
    return `\n  Parley is running as an engine: it works for other processes, which reach it at ${settings.PARLEY_NODE_URL}.\n`;
  const url = settings.PARLEY_PUBLIC_URL ?? service.url;
  const lines = [
    '',
    `  Parley is running.   Console   ${consoleAddress(url, service.firstKey)}`,
    `                       API docs  ${url}/docs`,
    '',
  ];
  if (service.firstKey !== null) {
    lines.push(`  API key (shown only now): ${service.firstKey}`, '');
  }
  const models = service.local.notes.map((note) => `    ${modelLine(note)}`);
  if (models.length > 0) lines.push('  Neural models on this machine:', ...models, '');
  lines.push(`  Meetings: ${meetingsLine(settings, service.meetingsUnavailable)}`, '');
  const offline = [
    stockLlms(settings).length === 0 ? 'LLM: rules, no model (PARLEY_LLM_BASE_URL, PARLEY_LLM_MODEL)' : null,
    recognizerStandIn(settings, service.local),
    ttsServices(settings).length === 0 && service.local.voices.length === 0
      ? 'voice: flite and espeak-ng (PARLEY_TTS_BASE_URL, or bash scripts/start.sh --models)'
      : null,
  ].filter((line) => line !== null);
  if (offline.length > 0)
    lines.push(
      '  Offline stand-ins are in use; settings to replace them in brackets:',
      ...offline.map((line) => `    ${line}`),
      '',
    );
  return lines.join('\n');
}

function meetingsLine(settings: Settings, why: string | null): string {
  return why === null
    ? `personas join them by a link, ${settings.PARLEY_MAX_MEETINGS} at the same time`
    : `off. ${why}`;
}

function recognizerStandIn(settings: Settings, local: LocalModels): string | null {
  const [first] = recognizers(settings, local);
  const standIn = first === undefined ? undefined : sttProvider(first.provider).standIn;
  return standIn === undefined
    ? null
    : `recognition: ${standIn} (PARLEY_STT_BASE_URL, or bash scripts/start.sh --models)`;
}

/** The key travels in the fragment, which browsers do not send. */
function consoleAddress(url: string, key: string | null): string {
  return key === null ? `${url}/` : `${url}/#key=${encodeURIComponent(key)}`;
}
