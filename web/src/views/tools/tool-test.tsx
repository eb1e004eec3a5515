import { QUERY_SCHEMA } from './arguments.ts';
import { type ToolDetails, tryTool } from './tool-api.ts';
import { TrialForm } from './trial-form.tsx';

/** Runs a saved tool. */
export function ToolTest({ tool }: { tool: ToolDetails }) {
  const { parameters, queryParameters } = tool.config;
  const schema = parameters ?? (tool.type === 'SERVER_RAG' ? QUERY_SCHEMA : undefined);
  return (
    <section class="card padded">
      <TrialForm label="Test" schemas={[schema, queryParameters]} run={(args) => tryTool(tool.id, args)}>
        <div>
          <h2>Test</h2>
          <p class="muted small">
            {tool.type === 'SERVER_WEBHOOK'
              ? 'Calls the webhook now, as a conversation would. It may have its effect.'
              : 'Searches the documents now, as a conversation would.'}
          </p>
        </div>
      </TrialForm>
    </section>
  );
}
