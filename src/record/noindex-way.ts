/**
 * A way in which a host asks not to be published. Each holds until the same was read again without it:
 *
 * - `robots`: its robots.txt closes it to us by name;
 * - `nodeinfo`: the metadata of its NodeInfo document;
 * - `config-header`, `discovery-header`, `nodeinfo-header`: `X-Robots-Tag` with the document of that route;
 * - `config-error-header` and so on: the same with what that route answers instead of a document;
 * - `earlier`: it is not known in which, as it asked before that was kept; until a visit read all that tells what the host is.
 */
export type NoindexWay =
  | 'robots'
  | 'nodeinfo'
  | `${'config' | 'discovery' | 'nodeinfo'}-${'header' | 'error-header'}`
  | 'earlier';
