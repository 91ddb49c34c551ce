/** The address of the instance actor of a server at `baseUrl`. */
export function instanceActorUrl(baseUrl: string): string {
  return `${baseUrl}/ap/actor`;
}

/** The address of the actor of the account with this id. */
export function accountActorUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/ap/users/${encodeURIComponent(id)}`;
}
