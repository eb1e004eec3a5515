import { CheckField } from '../../components/fields.tsx';
import { Notice } from '../../components/notice.tsx';
import { TrialForm } from '../tools/trial-form.tsx';
import { type McpTest, tryMcpTool } from './mcp-api.ts';

/** What the server offered in a test, and which of it personas use. @param allowed null: all. */
export function OfferedTools({
  serverId,
  test: { ok, message, tools, leftOut },
  allowed,
  onChange,
}: {
  serverId: string;
  test: McpTest;
  allowed: readonly string[] | null;
  onChange: (allowed: readonly string[] | null) => void;
}) {
  if (!ok)
    return (
      <Notice tone="bad">
        <span>{message}</span>
      </Notice>
    );
  const names = tools.map(({ name }) => name);
  function toggle(name: string, checked: boolean): void {
    const before = allowed ?? names;
    const next = checked ? [...before, name] : before.filter((other) => other !== name);
    onChange(names.every((one) => next.includes(one)) ? null : next);
  }
  return (
    <section class="card padded stack" aria-live="polite">
      <div>
        <h2>{tools.length === 1 ? 'One tool' : `${tools.length} tools`}</h2>
        <p class="muted small">The server answers. Choose what personas may use, then save.</p>
      </div>
      {message !== null && (
        <Notice tone="warn">
          <span>{message}</span>
        </Notice>
      )}
      {tools.map(({ name, description, parameters }) => (
        <div key={name}>
          <CheckField
            label={name}
            checked={allowed?.includes(name) ?? true}
            onChange={(checked) => toggle(name, checked)}
          />
          <p class="muted small">{description}</p>
          <ToolTrial serverId={serverId} name={name} parameters={parameters} />
        </div>
      ))}
      {leftOut.map(({ name, reason }) => (
        <p key={name} class="muted small">
          <strong>{name}</strong> cannot be used: {reason}
        </p>
      ))}
    </section>
  );
}

function ToolTrial({
  serverId,
  name,
  parameters,
}: {
  serverId: string;
  name: string;
  parameters: McpTest['tools'][number]['parameters'];
}) {
  return (
    <details class="trial">
      <summary>
        Try it<span class="visually-hidden">: {name}</span>
      </summary>
      <TrialForm label={`Test of ${name}`} schemas={[parameters]} run={(args) => tryMcpTool(serverId, name, args)}>
        <p class="muted small">Calls it now, as a conversation would. It may have its effect.</p>
      </TrialForm>
    </details>
  );
}
