/** The part of a pino logger that the face uses. No content of conversations goes here. */
export interface FaceLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
