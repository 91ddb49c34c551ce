import type { Rule } from '../rule.ts';
import { nodeInfoContentType } from './nodeinfo/nodeinfo-content-type.ts';
import { nodeInfoCounts } from './nodeinfo/nodeinfo-counts.ts';
import { nodeInfoDiscovery } from './nodeinfo/nodeinfo-discovery.ts';
import { nodeInfoDiscoveryJson } from './nodeinfo/nodeinfo-discovery-json.ts';
import { nodeInfoDiscoveryType } from './nodeinfo/nodeinfo-discovery-type.ts';
import { nodeInfoDocument } from './nodeinfo/nodeinfo-document.ts';
import { nodeInfoEncoding } from './nodeinfo/nodeinfo-encoding.ts';
import { nodeInfoFederation } from './nodeinfo/nodeinfo-federation.ts';
import { nodeInfoFieldTypes } from './nodeinfo/nodeinfo-field-types.ts';
import { nodeInfoFieldsMissing } from './nodeinfo/nodeinfo-fields-missing.ts';
import { nodeInfoHost } from './nodeinfo/nodeinfo-host.ts';
import { nodeInfoHref } from './nodeinfo/nodeinfo-href.ts';
import { nodeInfoJson } from './nodeinfo/nodeinfo-json.ts';
import { nodeInfoLinks } from './nodeinfo/nodeinfo-links.ts';
import { nodeInfoLinksOnce } from './nodeinfo/nodeinfo-links-once.ts';
import { nodeInfoProtocols } from './nodeinfo/nodeinfo-protocols.ts';
import { nodeInfoRel } from './nodeinfo/nodeinfo-rel.ts';
import { nodeInfoSchema } from './nodeinfo/nodeinfo-schema.ts';
import { nodeInfoSoftware } from './nodeinfo/nodeinfo-software.ts';
import { nodeInfoUsage } from './nodeinfo/nodeinfo-usage.ts';

/** NodeInfo: whether it is found, whether it can be read, and whether what it says is whole and plausible. */
export const nodeinfoRules: readonly Rule[] = [
  nodeInfoFederation,
  nodeInfoDiscovery,
  nodeInfoDiscoveryJson,
  nodeInfoLinks,
  nodeInfoRel,
  nodeInfoHref,
  nodeInfoDocument,
  nodeInfoJson,
  nodeInfoSoftware,
  nodeInfoFieldsMissing,
  nodeInfoFieldTypes,
  nodeInfoSchema,
  nodeInfoProtocols,
  nodeInfoCounts,
  nodeInfoUsage,
  nodeInfoHost,
  nodeInfoLinksOnce,
  nodeInfoDiscoveryType,
  nodeInfoContentType,
  nodeInfoEncoding,
];
