/** The name of a sample, its labels and the rest, in the text format of Prometheus. */
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})?( .*)$/;
/** `# HELP name …` and `# TYPE name …`. */
const COMMENT = /^# (?:HELP|TYPE) (\S+)/;

interface Family {
  readonly comments: string[];
  readonly samples: string[];
}

/**
 * Joins what several processes measure into one document: a family is described once, and each sample of an engine process
 * says whose it is. @param own of the process that answers.
 */
export function joinedMetrics(
  own: string,
  engines: readonly { readonly number: number; readonly text: string }[],
): string {
  const families = new Map<string, Family>();
  add(families, own, null);
  for (const { number, text } of engines) add(families, text, `engine="${number}"`);
  // Also a family without a sample yet: who writes a dashboard or an alert finds its name here.
  return [...families.values()].map(({ comments, samples }) => `${[...comments, ...samples].join('\n')}\n`).join('\n');
}

function add(families: Map<string, Family>, text: string, label: string | null): void {
  let family: Family | null = null;
  let isNew = false;
  for (const line of text.split('\n')) {
    const described = COMMENT.exec(line)?.[1];
    if (described !== undefined) {
      const known = families.get(described);
      isNew = known === undefined || (isNew && known === family);
      family = known ?? { comments: [], samples: [] };
      families.set(described, family);
      if (isNew) family.comments.push(line);
      continue;
    }
    const sample = SAMPLE.exec(line);
    if (sample === null || family === null) continue;
    const [, name = '', labels = '', rest = ''] = sample;
    const all = [labels, label ?? ''].filter((part) => part !== '').join(',');
    family.samples.push(all === '' ? `${name}${rest}` : `${name}{${all}}${rest}`);
  }
}
