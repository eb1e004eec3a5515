/** What a picture shows, in the words of its author: neither the name of its file nor what a program has guessed. */
export function altText(description: string | undefined): string {
  const text = (description ?? '').replace(/\s*(Description|Beschreibung) automati\w+ (generated|generiert).*$/is, '');
  return /^[\w ()-]+\.(png|jpe?g|gif|emf|wmf|svg|webp|tiff?)$/i.test(text.trim()) ? '' : text.trim();
}
