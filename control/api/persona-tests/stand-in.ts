import type { References } from '../../catalogue/references.ts';
import type { ControlPorts } from '../../ports.ts';
import type { PersonaRow } from '../../store/tables.ts';

export interface StandInParts {
  readonly references: References;
  readonly ports: Pick<ControlPorts, 'llms'>;
}

/** The rule-based stand-in for an LLM: it always says the same, and can neither judge nor play somebody. */
export const STAND_IN = 'offline';

/** Whether a persona answers by the stand-in for an LLM. */
export async function isOfferedStandIn({ references, ports }: StandInParts, persona: PersonaRow): Promise<boolean> {
  const { organization_id: organizationId, llm_id: id } = persona;
  const llm = (id === null ? null : await references.llm(organizationId, id)) ?? references.defaultLlm();
  return llm.kind === 'stock' && ports.llms.stock(llm.stock.id).name === STAND_IN;
}
