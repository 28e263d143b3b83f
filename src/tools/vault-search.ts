export class VaultSearch {
  readonly placeholder = true;
}
