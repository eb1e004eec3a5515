/** What stands in a web site's page to show the widget there. */
export interface Embedding {
  /** Address of this service. */
  readonly service: string;
  readonly source:
    | { readonly kind: 'persona'; readonly personaId: string }
    | { readonly kind: 'share'; readonly token: string };
  readonly layout: 'inline' | 'floating';
}

/** In a corner the script is enough. In the text of a page an element says where. */
export function embedCode({ service, source, layout }: Embedding): string {
  const [name, value] = source.kind === 'persona' ? ['persona', source.personaId] : ['share', source.token];
  return layout === 'floating'
    ? `<script src="${service}/widget.js" data-${name}="${value}"></script>`
    : `<parley-persona ${name}="${value}" layout="inline"></parley-persona>\n<script src="${service}/widget.js"></script>`;
}
