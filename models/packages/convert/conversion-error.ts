/** The files of a package are not what the conversion expects, or the machine lacks what it needs. */
export class ConversionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConversionError';
  }
}
