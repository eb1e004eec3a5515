import type { Options, Source } from './options.ts';
import { type Problem, problemOfAnswer } from './problems.ts';

/** What a visitor sees before talking: `GET /v1/shared/{token}`, `GET /v1/personas/{id}/widget`. */
export interface Look {
  readonly persona: {
    readonly name: string;
    readonly avatarImageUrl: string | null;
    readonly avatarVideoUrl: string | null;
  };
  readonly widgetConfig: {
    readonly layout: string;
    readonly initialState: string;
    readonly position: string;
    readonly showCaptions: boolean;
    readonly showTextInput: boolean;
    readonly showMuteButton: boolean;
    readonly showTranscript: boolean;
    readonly removeWatermark: boolean;
    readonly callToAction: string;
  };
}

export class Refused extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem);
    this.name = 'Refused';
    this.problem = problem;
  }
}

/** @throws Refused */
export async function loadLook(service: string, source: Source): Promise<Look> {
  const path =
    source.kind === 'share'
      ? `/v1/shared/${encodeURIComponent(source.token)}`
      : `/v1/personas/${encodeURIComponent(source.personaId)}/widget`;
  return (await ask(source, service + path)) as Look;
}

/** @returns a token that starts a few sessions. @throws Refused */
export async function loadSessionToken(
  service: string,
  source: Source,
  values: Options['variableValues'],
): Promise<string> {
  const variableValues = Object.keys(values).length > 0 ? { variableValues: values } : {};
  const [path, body] =
    source.kind === 'share'
      ? ['/v1/auth/share-link', { token: source.token, ...variableValues }]
      : ['/v1/auth/widget', { agentId: source.personaId, ...variableValues }];
  const { sessionToken } = (await ask(source, service + path, body)) as { sessionToken: string };
  return sessionToken;
}

/** The service answers within a second. A visitor on a bad network gets the same time as the client's own requests. */
const MAX_WAIT_MS = 10_000;

async function ask({ kind }: Source, url: string, body?: object): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(url, {
      signal: AbortSignal.timeout(MAX_WAIT_MS),
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refused('network');
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  throw new Refused(problemOfAnswer(kind, response.status, (answer as { error?: string } | null)?.error ?? ''));
}
