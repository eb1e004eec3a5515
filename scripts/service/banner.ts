import type { Settings } from '../../control/index.ts';
import { sttProvider } from '../../engine/index.ts';
import { recognizers, stockLlms, ttsSettings } from './engine-settings.ts';
import type { OpenService } from './open-service.ts';

/** What a person sees after the start: where to go, and what is not the real thing yet. */
export function banner(settings: Settings, service: OpenService): string {
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
  const offline = [
    stockLlms(settings).length === 0 ? 'LLM: rules, no model (PARLEY_LLM_BASE_URL, PARLEY_LLM_MODEL)' : null,
    recognizerStandIn(settings),
    ttsSettings(settings) === null ? 'voice: flite and espeak-ng (PARLEY_TTS_BASE_URL)' : null,
  ].filter((line) => line !== null);
  if (offline.length > 0)
    lines.push(
      '  Offline stand-ins are in use; settings to replace them in brackets:',
      ...offline.map((line) => `    ${line}`),
      '',
    );
  return lines.join('\n');
}

function recognizerStandIn(settings: Settings): string | null {
  const [first] = recognizers(settings);
  const standIn = first === undefined ? undefined : sttProvider(first.provider).standIn;
  return standIn === undefined ? null : `recognition: ${standIn} (PARLEY_STT_BASE_URL)`;
}

/** The key travels in the fragment, which browsers do not send. */
function consoleAddress(url: string, key: string | null): string {
  return key === null ? `${url}/` : `${url}/#key=${encodeURIComponent(key)}`;
}
