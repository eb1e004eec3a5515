export interface IceCredentials {
  readonly ufrag: string;
  readonly password: string;
}
