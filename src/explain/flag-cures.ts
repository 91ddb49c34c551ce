import type { InstanceFlag } from '../record/instance-flag.ts';
import type { Patient } from './cures.ts';

/** What the operator of an instance can do about a flag, where that is one thing. */
export const FLAG_CURES: Readonly<Partial<Record<InstanceFlag, (patient: Patient) => string>>> = {
  'software-mismatch': ({ softwareId }) =>
    `Let configuration and NodeInfo name the same software: app.software and software.name both have to be exactly "${softwareId}".`,
  'version-mismatch': () =>
    'Let configuration and NodeInfo give the same version; often one of them is an answer kept from before an upgrade, and clearing the cache mends it.',
  'app-url-mismatch': ({ domain }) =>
    `Set app.url to https://${domain}, in the environment of the server: it names another host now.`,
  'registration-mismatch': () =>
    'Let configuration and NodeInfo agree on whether registration is open: registration in the one, openRegistrations in the other.',
  'nodeinfo-http-href': ({ domain }) =>
    `In https://${domain}/.well-known/nodeinfo, link the NodeInfo document by its https address, not by http.`,
  'wrong-type-field': () => 'Mend what is of the wrong type: what such a field should say is unknown.',
  outdated: () => 'Upgrade: a newer version is known.',
};
