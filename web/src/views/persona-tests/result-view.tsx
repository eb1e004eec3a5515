import type { TestResult } from './test-api.ts';

/** What came of a test: each check, and the conversation. A failed one stands open. */
export function ResultView({ result }: { result: TestResult }) {
  const failed = result.attempts.filter(({ passed }) => !passed);
  const shown = failed[0] ?? result.attempts[0];
  if (shown === undefined) return null;
  const { attempts } = result;
  return (
    <details class="result" open={!result.passed}>
      <summary>
        {attempts.length === 1
          ? `A conversation of ${shown.durationSeconds.toFixed(1)} s`
          : `${attempts.length - failed.length} of ${attempts.length} conversations passed`}
      </summary>
      {shown.problem !== null && <p class="problem">{shown.problem}</p>}
      <ul class="checks">
        {shown.checks.map(({ what, why, passed }, index) => (
          <li key={index}>
            <span class={`badge ${passed ? 'good' : 'bad'}`}>{passed ? 'passed' : 'failed'}</span> {what}
            {why !== '' && <span class="muted">: {why}</span>}
          </li>
        ))}
      </ul>
      <dl class="said">
        {shown.messages.map(({ role, text, interrupted }, index) => (
          <div key={index}>
            <dt>{role === 'user' ? 'User' : 'Persona'}</dt>
            <dd>
              {text}
              {interrupted === true && <span class="muted"> … interrupted</span>}
            </dd>
          </div>
        ))}
      </dl>
      {shown.toolCalls.map(({ tool, arguments: args, result: answer }, index) => (
        <p key={index} class="small">
          <code>
            {tool}({JSON.stringify(args)}) → {answer ?? '–'}
          </code>
        </p>
      ))}
    </details>
  );
}
